import type { Coin } from '../../core/coin.ts'

/** A position that was closed by force. `side` is that of the position. */
export type Liquidation = { coin: Coin; side: 'long' | 'short'; usd: number; atMs: number }

/** What a frame of a venue's socket brought. */
export type LiquidationFrame = {
  liquidations: readonly Liquidation[]
  /** Rows that could not be read, or not be valued. */
  skipped: number
  /** The venue refuses what we subscribed to. */
  refusal?: string
}

/** The largest single one ever seen at any venue was below a third of this; more is a mistake. */
export const MAX_LIQUIDATION_USD = 1e9
/** Rows of one frame that are read. */
export const MAX_FRAME_ROWS = 1_000
const MAX_REFUSAL_CHARS = 200

export const NOTHING: LiquidationFrame = { liquidations: [], skipped: 0 }

export const refusedFor = (reason: unknown): LiquidationFrame => ({
  ...NOTHING,
  refusal: typeof reason === 'string' ? reason.slice(0, MAX_REFUSAL_CHARS) : 'no reason given',
})

/** Rows of our coins become liquidations; `undefined` is a row of another contract, `null` one that cannot be read. */
export function frameOf(rows: readonly (Liquidation | undefined | null)[]): LiquidationFrame {
  const liquidations = rows.flatMap((row) => (row && row.usd <= MAX_LIQUIDATION_USD ? row : []))
  const others = rows.filter((row) => row === undefined).length
  return { liquidations, skipped: rows.length - others - liquidations.length }
}

/** The frame as JSON; undefined where it is none. */
export function findJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
