import type { Group } from '../../catalog/group.ts'
import { analytics } from './analytics.ts'
import { command } from './command.ts'
import { dashboard } from './dashboard.ts'
import type { AdminServices } from './services.ts'
import { signals } from './signals.ts'
import { task } from './task.ts'
import { taskboard } from './taskboard.ts'
import { bossSignal } from './trading/boss-signal.ts'
import { adminBuy } from './trading/buy.ts'
import { claimWins } from './trading/claim-wins.ts'
import { changeConfig, config } from './trading/config.ts'
import { history } from './trading/history.ts'
import { markets } from './trading/markets.ts'
import { portfolio } from './trading/portfolio.ts'
import { adminPositions } from './trading/positions.ts'
import { resetBreaker } from './trading/reset-breaker.ts'
import { tradingStatus } from './trading/status.ts'
import { usage } from './usage.ts'

export const adminGroup: Group<AdminServices> = {
  tag: 'admin',
  about: 'The service and its bot, for the operator. Needs a key with the scope admin.',
  endpoints: [
    analytics,
    dashboard,
    adminPositions,
    signals,
    taskboard,
    usage,
    tradingStatus,
    markets,
    portfolio,
    history,
    task,
    command,
    config,
    changeConfig,
    resetBreaker,
    bossSignal,
    adminBuy,
    claimWins,
  ],
}
