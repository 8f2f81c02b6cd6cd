import type { Group } from '../../catalog/group.ts'
import { botStatus } from './bot-status.ts'
import { demo } from './demo.ts'
import { freeTrial } from './free-trial.ts'
import { latestSignal } from './latest-signal.ts'
import type { LiveServices } from './live/live.ts'
import { performance } from './performance.ts'
import { publicTrades, recentTrades } from './recent-trades.ts'
import { scalper } from './scalper.ts'
import { scalperEvents } from './scalper-events.ts'
import type { BotServices } from './services.ts'
import { stats } from './stats.ts'

export const botGroup: Group<BotServices & LiveServices> = {
  tag: 'bot',
  about:
    'What our own bot traded and what came of it after fees, on paper or with real money, and free samples.',
  endpoints: [
    performance,
    stats,
    botStatus,
    recentTrades,
    scalper,
    scalperEvents,
    latestSignal,
    publicTrades,
    freeTrial,
    demo,
  ],
}
