import type { Activity } from '../../upstreams/polymarket/account-activity.ts'
import { findMillionths } from './millionths.ts'

/** In millionths. Undefined where a trade does not say which outcome it is of. */
export type SharesLeft = { up: bigint; down: bigint } | undefined

type Outcome = 'up' | 'down' | 'both' | 'unknown'

/** Shares that the rows of one market leave in the account; none below zero, which a transfer from elsewhere would make. */
export function countShares(rows: readonly Activity[]): SharesLeft {
  const unknown = rows.filter((row) => outcomeOf(row) === 'unknown')
  // A redeem pays for all that is held, also where it does not say what that was.
  if (unknown.some(({ kind }) => kind === 'REDEEM')) return { up: 0n, down: 0n }
  if (unknown.length > 0) return undefined
  return { up: sumOf(rows, 'up'), down: sumOf(rows, 'down') }
}

function sumOf(rows: readonly Activity[], side: 'up' | 'down'): bigint {
  const changes = rows.map((row) => ([side, 'both'].includes(outcomeOf(row)) ? changeOf(row) : 0n))
  const left = changes.reduce((sum, change) => sum + change, 0n)
  return left > 0n ? left : 0n
}

function outcomeOf({ kind, outcome }: Activity): Outcome {
  if (kind === 'SPLIT' || kind === 'MERGE') return 'both'
  const label = outcome?.toLowerCase()
  return label === 'up' || label === 'down' ? label : 'unknown'
}

function changeOf({ kind, side, shares }: Activity): bigint {
  const amount = findMillionths(shares) ?? 0n
  return kind === 'SPLIT' || (kind === 'TRADE' && side === 'BUY') ? amount : -amount
}
