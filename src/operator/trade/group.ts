import type { Group } from '../../catalog/group.ts'
import { balance } from './balance.ts'
import { book } from './book.ts'
import { buy } from './buy.ts'
import { close } from './close.ts'
import { logSignal } from './log-signal.ts'
import { positions } from './positions.ts'
import { sell } from './sell.ts'
import type { TradeServices } from './services.ts'
import { signalStats } from './signal-stats.ts'

export const tradeGroup: Group<TradeServices> = {
  tag: 'trade',
  about: "The operator's account on the five-minute BTC market. Needs a key with the scope trade.",
  endpoints: [book, balance, positions, buy, sell, close, logSignal, signalStats],
}
