import type { Coin } from '../../core/coin.ts'
import type { WindowMarket } from '../../feeds/prediction/five-minute-markets.ts'
import type { BrokerName } from '../../ledger/ports/bot-book.ts'
import type { Direction, Signal } from '../../signals/signal.ts'
import type { Obstacle } from '../brokers/broker.ts'
import type { TradingConfig } from '../trading-config.ts'

/** Everything that one look at a window and coin sees; what is decided depends on nothing else. Money in millionths. */
export type Look = {
  atMs: number
  coin: Coin
  windowStartS: number
  broker: BrokerName
  config: TradingConfig
  signal: Signal | undefined
  /** Why there is no signal. */
  signalMissing: string
  market: WindowMarket | undefined
  marketMissing: string
  /** The venue's clock less ours; undefined where it is not known. */
  skewMs: number | undefined
  cashE6: bigint | undefined
  obstacles: readonly Obstacle[]
  bossSignal: Direction | undefined
  /** True where an order of this window and coin is open, or took something. */
  hasOrder: boolean
  /** Of the day that the window belongs to. */
  day: { trades: number; profitE6: bigint; atRiskE6: bigint }
  breaker: { isOpen: boolean; consecutiveLosses: number }
}

/** Numbers behind a decision, as they are kept: plain JSON, amounts in dollars. */
export type Facts = Readonly<Record<string, string | number | boolean | null>>

export type Choice =
  | {
      action: 'buy'
      reason: string
      outcome: Direction
      /** The highest price that is paid. */
      priceE4: number
      tickE4: number
      spendE6: bigint
      maxFeeE6: bigint
      facts: Facts
    }
  | { action: 'none'; reason: string; facts: Facts }
