type Breaker = { open: boolean; since: string | null; consecutive_losses: number }
type Trade = {
  coin: string
  direction: string
  outcome: string
  pnl_usdc: number
  fees_usdc: number
  confidence: number | null
  window_start: number
}
type Signal = {
  window_start: number
  direction: string
  confidence: number
  abstain: boolean
  outcome: string
  hit: boolean | null
}
type Bot = {
  state: string | null
  meaning: string
  account: string
  account_note: string
  total_pnl_usdc: number
  fees_usdc: number
  max_drawdown_usdc: number
  account_trades: number
  wins: number
  win_rate: number
  win_rate_low: number
  win_rate_high: number
  win_rate_note?: string | undefined
  total_trades: number
  today: { total_pnl_usdc: number; account_trades: number }
  recent_trades: readonly Trade[]
  now: { breaker: Breaker } | null
}
export type Delayed = readonly [number, number | null, number | null, number | null]
/** What the dashboard shows, as the stream tells it. */
export type Shown = {
  timestamp: string
  window?: { window_start: number; window_end: number; open_price_usd: number | null } | undefined
  price: readonly (readonly [number, number])[]
  delayed: readonly Delayed[]
  equity: readonly (readonly [number, number])[]
  signals?: readonly Signal[] | undefined
  bot?: Bot | null | undefined
}
/** A figure with what stands small below it, and a tone where there is one to it. */
export type Figure = { text: string; small: string; tone?: string | undefined }
export type FigureName = 'price' | 'move' | 'left' | 'profit' | 'wins' | 'breaker'
export type TableName = 'price' | 'odds' | 'imbalance' | 'equity' | 'signals' | 'trades'
export const FIGURES: Readonly<Record<FigureName, { title: string; of(shown: Shown): Figure }>>
export const TABLES: Readonly<
  Record<TableName, { heads: readonly string[]; empty: string; rowsOf(shown: Shown): readonly string[][] }>
>
