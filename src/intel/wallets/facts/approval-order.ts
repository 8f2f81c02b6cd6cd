import { isGenuine } from '../../tokens/risk/imitation.ts'
import type { HeldTokens } from './holdings.ts'

/** Which tokens come first where not all approvals can be looked at. */
export type ApprovalRank = (token: string) => number

/** Behind this rank nothing counts: anybody can make a token that tells of approvals by anybody. */
const HELD_RANK = 2
const CLAIMED_RANK = 3

/** Well-known tokens, held ones that the explorer has a price of, other held ones, and all others. */
export function rankBy(held: HeldTokens): ApprovalRank {
  const priced = new Map(held.rows.map(({ token, explorerPriceUsd = 0 }) => [token, explorerPriceUsd > 0]))
  return (token) =>
    isGenuine(token) ? 0 : priced.get(token) ? 1 : priced.has(token) ? HELD_RANK : CLAIMED_RANK
}

export const isClaimedOnly = (rank: number): boolean => rank === CLAIMED_RANK

/**
 * By rank, and within it the newest of each token before the second newest of any: one token that tells of many spenders
 * does not push others off.
 */
export function inOrder<Row extends { token: string; block: number }>(
  rows: readonly Row[],
  rankOf: ApprovalRank,
): Row[] {
  const newestFirst = rows.toSorted((a, b) => b.block - a.block)
  return [...Map.groupBy(newestFirst, ({ token }) => token).values()]
    .flatMap((ofToken) => ofToken.map((row, place) => ({ row, place, rank: rankOf(row.token) })))
    .sort((a, b) => a.rank - b.rank || a.place - b.place || b.row.block - a.row.block)
    .map(({ row }) => row)
}
