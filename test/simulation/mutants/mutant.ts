import type { Patch } from './load-patched.ts'

/** A bug that somebody could make. The simulation must notice every one of them: a survivor is a hole in it. */
export type Mutant = {
  name: string
  patches: readonly Patch[]
}

export const SELL = 'payments/gate/sell.ts'
export const COLLECT = 'payments/gate/collect.ts'
export const RECONCILE = 'payments/gate/reconcile.ts'
export const POOL = 'payments/facilitators/facilitators.ts'
export const ROWS = 'testing/ledger/memory-payment-rows.ts'
export const HELD = 'ledger/held-claims.ts'

type Change = readonly [file: string, from: string, to: string]
export const mutant = (name: string, ...changes: readonly Change[]): Mutant => ({
  name,
  patches: changes.map(([file, from, to]) => ({ file, from, to })),
})
