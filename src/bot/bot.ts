import type { Coin } from '../core/coin.ts'
import type {
  BossSignalRow,
  BreakerRow,
  BrokerName,
  DecisionRow,
  OrderRow,
} from '../ledger/ports/bot-book.ts'
import type { Direction } from '../signals/signal.ts'
import type { Obstacle } from './brokers/broker.ts'
import type { Note } from './notes.ts'
import type { TradingConfig, VersionedConfig } from './trading-config.ts'

/** Whose call it is, for the ledger. */
export type By = string

export type Breaker = {
  isOpen: boolean
  /** Of the opening, or the last reset. */
  reason: string | undefined
  sinceMs: number | undefined
  consecutiveLosses: number
}

/** Of one broker, today in UTC by the start of the windows. Money in millionths. */
export type Today = {
  broker: BrokerName
  trades: number
  /** Of windows that are resolved, fees in it. */
  profitE6: bigint
  /** What open orders and positions would lose at most, fees in it. */
  atRiskE6: bigint
}

export type BotStatus = {
  /** `starting`: it reconciles with the venue before it trades. `paused`: not enabled. `stopped`: the breaker is open. `limited`: a limit of the day stops purchases. */
  state: 'starting' | 'running' | 'paused' | 'stopped' | 'blocked' | 'limited'
  /** Why, in a sentence, where it does not run. */
  why: string | undefined
  broker: BrokerName
  config: VersionedConfig
  breaker: Breaker
  today: Today
  /** What stands between the chosen broker and trading. */
  obstacles: readonly Obstacle[]
  /** What the operator should know and what does not stop it. */
  notes: readonly Note[]
  lastDecision: DecisionRow | undefined
  lastReconciledMs: number | undefined
  openOrders: number
  startedMs: number
}

/** A position of either broker: what the ledger says, with the book's price where there is one. */
export type OpenPosition = {
  broker: BrokerName
  coin: Coin
  windowStartS: number
  conditionId: string
  tokenId: string
  outcome: Direction
  sharesE6: bigint
  /** With fees, of the shares that are still held. */
  costE6: bigint
  /** Best bid now; undefined where there is no book. After the resolution 0 or 1. */
  bid: number | undefined
  valueE6: bigint | undefined
  openedMs: number
  /** Undefined until the window is resolved. */
  resolvedAs: Direction | undefined
}

export type BuyInput = {
  coin: Coin
  outcome: Direction
  spendE6: bigint
  clientOrderId: string | undefined
  /** The account that the operator means: `conflict` where another one is in use. */
  broker?: BrokerName | undefined
  by: By
}
/** `broker` undefined: the chosen one, or the other where the chosen one holds nothing of the token. */
export type SellInput = { tokenId: string; sharesE6: bigint; broker?: BrokerName | undefined; by: By }
/** `isRepeat`: the order was there before this call. */
export type OrderReport = { order: OrderRow; isRepeat: boolean }

export type SaleReport = {
  sold: readonly OrderReport[]
  /** Still held, and why. */
  failed: readonly { tokenId: string; reason: string }[]
}

export type ClaimReport = {
  broker: BrokerName
  /** Markets looked at. */
  scanned: number
  claimed: readonly {
    conditionId: string
    coin: Coin | undefined
    windowStartS: number | undefined
    amountE6: bigint
    transactionHash: string | undefined
  }[]
  /** Not claimed now, and why; the next scan tries again. */
  pending: readonly { conditionId: string; reason: string }[]
}

/** The bot as the operator's endpoints and the track record see it. Methods that act throw a `ServiceError`. */
export type Bot = {
  status(): BotStatus
  config(): VersionedConfig
  configHistory(limit: number): Promise<readonly VersionedConfig[]>
  /**
   * Partial; checked as a whole. Throws `conflict` where something stands against leaving sim mode, and where `madeOf`,
   * the version that was read before, is not the newest any more.
   */
  updateConfig(change: ConfigChange, by: By, madeOf?: number): Promise<VersionedConfig>
  resetBreaker(by: By): Promise<Breaker>
  breakerHistory(limit: number): Promise<readonly BreakerRow[]>
  bossSignal(
    input: { direction: Direction; coin: Coin; reason: string | undefined; broker?: BrokerName | undefined },
    by: By,
  ): Promise<BossSignalRow>
  /** On the market of the window that is open now. */
  buy(input: BuyInput): Promise<OrderReport>
  /**
   * All positions of the chosen broker in a coin's open window, each at its midpoint less four cents. Throws where there
   * are some and none of them could be sold.
   */
  sellOpenWindow(coin: Coin, by: By): Promise<SaleReport>
  /** 0 shares: all. */
  close(input: SellInput): Promise<OrderReport>
  claimWins(by: By): Promise<ClaimReport>
  /** Of both brokers, whichever is chosen: each names its own. */
  positions(): Promise<readonly OpenPosition[]>
  balance(): Promise<{ broker: BrokerName; cashE6: bigint; asOfMs: number }>
}

export type ConfigChange = Partial<Omit<TradingConfig, 'contrarian'>> & {
  contrarian?: Partial<TradingConfig['contrarian']> | undefined
}
