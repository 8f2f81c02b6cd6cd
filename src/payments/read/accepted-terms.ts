import type { Requirement } from '../../catalog/payment-terms.ts'
import type { RefusalReason } from '../gate/refusal.ts'
import type { Accepted } from './envelope.ts'

/** Hints that a seller may renew with every challenge (`dynamicExtraFields` of the Solana scheme). */
const DYNAMIC_EXTRA = new Set(['recentBlockhash', 'lastValidBlockHeight'])

/** The payer must have accepted exactly our terms: otherwise one price could pass for another. */
export function findTermsProblem(accepted: Accepted, ours: Requirement): RefusalReason | undefined {
  const isEvm = ours.network.startsWith('eip155:')
  const same = isEvm ? sameAddress : (a: string, b: string) => a === b
  if (accepted.amount !== ours.amount) return 'wrong_amount'
  if (!same(accepted.asset, ours.asset)) return 'wrong_asset'
  if (!same(accepted.payTo, ours.payTo)) return 'wrong_recipient'
  if (accepted.maxTimeoutSeconds !== ours.maxTimeoutSeconds) return 'wrong_terms'
  return sameExtra(accepted.extra, ours.extra, isEvm) ? undefined : 'wrong_terms'
}

export function sameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function sameExtra(theirs: Accepted['extra'], ours: Requirement['extra'], isEvm: boolean): boolean {
  const names = Object.keys(theirs).filter((name) => isEvm || !DYNAMIC_EXTRA.has(name))
  const expected = Object.keys(ours)
  return names.length === expected.length && expected.every((name) => theirs[name] === ours[name])
}
