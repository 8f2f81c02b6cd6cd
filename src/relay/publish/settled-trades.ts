import type { TradeRow } from '../../ledger/ports/bot-book.ts'
import type { SettledTrades } from '../values/bot-value.ts'
import type { Told } from './told-values.ts'

/** More than a minute's: whoever has missed one reads everything again. */
const SETTLED_TOLD = 64

/** The newest trades whose rows are in the ledger. */
export function createSettledTrades(epoch: number) {
  let trades: SettledTrades['trades'] = []
  let nth = 0
  const told: Told = { name: 'settled', everyTurns: 1, read: () => ({ epoch, trades }) }
  return {
    told,
    add({ broker, conditionId }: Pick<TradeRow, 'broker' | 'conditionId'>): void {
      trades = [...trades, { nth: ++nth, broker, conditionId }].slice(-SETTLED_TOLD)
    },
  }
}
