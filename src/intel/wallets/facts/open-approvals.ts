import { inOrder, isClaimedOnly, rankBy } from './approval-order.ts'
import type { HeldTokens } from './holdings.ts'
import type { WalletPorts } from './wallet-ports.ts'

export type OpenApproval = {
  token: string
  spender: string
  allowance: bigint
  /** Read from the chain; else what was approved, of which some may have been used. */
  isCurrent: boolean
  sinceMs: number | undefined
}
export type OpenApprovals = {
  rows: readonly OpenApproval[]
  /** False: some of tokens that count may be missing. */
  isComplete: boolean
}

/** About an hour: what the explorer may not have read yet. */
const RECENT_BLOCKS = 1_800
/** Of a token to a spender. */
export const MAX_APPROVALS = 200

type Given = { token: string; spender: string; amount: bigint; block: number; sinceMs: number | undefined }

/** What was approved is in the history of the chain, what is left of it only in its present state. */
export async function readApprovals(
  { chain, history }: Pick<WalletPorts, 'chain' | 'history'>,
  wallet: string,
  /** Waited for only where there are too many to look at. */
  readHeld: () => Promise<HeldTokens>,
): Promise<OpenApprovals> {
  const [old, recent] = await Promise.allSettled([history.approvals(wallet), recentApprovals(chain, wallet)])
  if (old.status === 'rejected' && recent.status === 'rejected') throw old.reason
  const given = newestOfEach([
    ...(old.status === 'fulfilled' ? old.value.rows.map((row) => ({ ...row, sinceMs: row.atMs })) : []),
    ...(recent.status === 'fulfilled' ? recent.value : []),
  ])
  const { looked, isEnough } = await chosen(given, readHeld)
  const isComplete = old.status === 'fulfilled' && old.value.isComplete && isEnough
  if (looked.length === 0) return { rows: [], isComplete }
  const allowances = await chain.allowances(wallet, looked).catch(() => undefined)
  const rows = looked.map(({ token, spender, amount, sinceMs }, i) => {
    const now = allowances?.[i]
    return { token, spender, sinceMs, allowance: now ?? amount, isCurrent: now !== undefined }
  })
  return { rows: rows.filter(({ allowance }) => allowance > 0n), isComplete }
}

/** `isEnough`: what is left out are mere claims of tokens that the wallet does not have. */
async function chosen(given: readonly Given[], readHeld: () => Promise<HeldTokens>) {
  if (given.length <= MAX_APPROVALS) return { looked: given, isEnough: true }
  const held = await readHeld()
  const rankOf = rankBy(held)
  const ordered = inOrder(given, rankOf)
  const left = ordered.slice(MAX_APPROVALS)
  const isEnough = held.isComplete && left.every(({ token }) => isClaimedOnly(rankOf(token)))
  return { looked: ordered.slice(0, MAX_APPROVALS), isEnough }
}

async function recentApprovals(chain: WalletPorts['chain'], wallet: string): Promise<Given[]> {
  const fromBlock = Math.max(0, (await chain.blockNumber()) - RECENT_BLOCKS)
  const { rows } = await chain.approvalEvents(wallet, fromBlock)
  return rows.map(({ token, spender, amount, blockNumber }) => ({
    token,
    spender,
    amount,
    block: blockNumber,
    sinceMs: undefined,
  }))
}

/** Newest first; without those that were taken back. */
function newestOfEach(given: readonly Given[]): Given[] {
  const newest = new Map<string, Given>()
  // Of two in one block the one that is listed later counts: lists are oldest first.
  for (const each of given) {
    const key = `${each.token}/${each.spender}`
    const other = newest.get(key)
    if (!other || each.block >= other.block) {
      const isSame = other?.block === each.block && other.amount === each.amount
      newest.set(key, isSame ? { ...each, sinceMs: each.sinceMs ?? other.sinceMs } : each)
    }
  }
  return [...newest.values()].filter(({ amount }) => amount > 0n).sort((a, b) => b.block - a.block)
}
