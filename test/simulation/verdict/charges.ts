import { confirmedAt } from '../chain/history.ts'
import type { SimulatedChain } from '../chain/simulated-chain.ts'
import { isForSeller } from '../people/authorization.ts'
import type { Disk } from '../seller/disk.ts'
import type { Findings } from '../seller/findings.ts'
import type { Service } from '../seller/service.ts'

/** How those fared whose money had moved and who did not have their goods yet. */
export type Charges = {
  /** Answers without goods that they got. */
  owed: number
  /** The longest from the moment the money moved until the reply could be fetched, with all outages in between. */
  longestMs: number
  /** The same from the moment when chain, ledger and service could be reached again for good. */
  longestReachableMs: number
  /** Payments that counted and whose block was undone afterwards. */
  undone: number
}
type Input = {
  chain: SimulatedChain
  service: Service
  disk: Disk
  findings: Findings
  reachableFromMs: number
}

/**
 * With chain, ledger and service in reach, a payment that counts has its reply within this time: a round of the
 * reconcile worker, calls to nodes that were begun before they came back, and a node that is a little late.
 */
export const REPLY_WITHIN_MS = 30_000

export type Late = { key: string; ms: number }

export function measureCharges(input: Input): Charges & { late: Late[] } {
  const { chain, service, disk, findings, reachableFromMs } = input
  /** Their payments count when they are final. */
  const wary = new Set(findings.all.map(({ payer }) => payer))
  const charges = { owed: service.owed.length, longestMs: 0, longestReachableMs: 0, undone: 0 }
  const late: Late[] = []
  for (const { key, state, transaction, settledAtMs, payer } of disk.rows.values()) {
    if (state !== 'settled' || settledAtMs === undefined) continue
    const paid = chain.history
      .ofKey(key)
      .find((each) => each.kind === 'transfer' && each.transaction === transaction)
    if (!paid || paid.by === 'stranger' || !isForSeller(paid.authorization)) continue
    if (chain.transferOf(key) === undefined) charges.undone++
    const atMs = settledAtMs - service.skewMs
    const countsMs = wary.has(payer)
      ? chain.finalFromMs(paid)
      : confirmedAt(paid, chain.blocks, chain.confirmations)
    charges.longestMs = Math.max(charges.longestMs, atMs - paid.landedAtMs)
    if (countsMs === undefined) continue
    const ms = atMs - Math.max(countsMs, reachableFromMs)
    charges.longestReachableMs = Math.max(charges.longestReachableMs, ms)
    if (ms > REPLY_WITHIN_MS) late.push({ key, ms })
  }
  return { ...charges, late }
}

export const NO_CHARGES: Charges = { owed: 0, longestMs: 0, longestReachableMs: 0, undone: 0 }

export const addCharges = (a: Charges, b: Charges): Charges => ({
  owed: a.owed + b.owed,
  longestMs: Math.max(a.longestMs, b.longestMs),
  longestReachableMs: Math.max(a.longestReachableMs, b.longestReachableMs),
  undone: a.undone + b.undone,
})
