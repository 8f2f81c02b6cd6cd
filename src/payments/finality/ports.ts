import type { Payment } from '../gate/payment.ts'

/** A payment that was settled, and what was known when it was. */
export type Settled = {
  payment: Payment
  /** In which the chain showed it then. */
  transaction: string
  /** A transaction that a facilitator named since: looked at, and never believed. */
  hint?: string | undefined
  claimedAtMs: number
  settledAtMs: number
}

/** What a chain says of a settled payment later. */
export type Review =
  /** It stands in a block that nothing can take back; perhaps in another transaction than before. */
  | { kind: 'final'; transaction: string }
  /** It may stand, and its block is not final yet, or nobody can say so. */
  | { kind: 'early' }
  /** Blocks beyond the time it was settled are final, and it is in none. `isOver`: it can never be any more. */
  | { kind: 'undone'; isOver: boolean }
  /** This one could not be looked up, though the chain answers. */
  | { kind: 'unseen'; error: unknown }

/** One chain, as far as it is final. Throws when it cannot be asked. */
export type Reviewer = {
  /** Time of the newest block that nothing can take back. */
  finalMs(): Promise<number>
  /** In the order of the payments. */
  review(settled: readonly Settled[]): Promise<readonly Review[]>
}
export type FinalChain = {
  /** Whether its nodes have enough to do with those who buy now: in doubt, in trouble, or slow. */
  isStrained(network: string): boolean
  finalMs(network: string): Promise<number>
  /** Of payments of one network. */
  review(network: string, settled: readonly Settled[]): Promise<readonly Review[]>
}

/** Our clock and the chain's may differ by this much. */
const CLOCK_MARGIN_MS = 30_000

/** Whether whatever was seen on the chain at a time is in a final block, if it is in any. */
export const isFinalBy = (settledAtMs: number, finalMs: number) => settledAtMs + CLOCK_MARGIN_MS < finalMs
