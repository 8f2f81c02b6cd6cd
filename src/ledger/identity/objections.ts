import type { Mode } from '../../config/variables/variable.ts'
import { isCopy, pathIn } from '../files/place.ts'
import type { LedgerIdentity, PaidAddresses } from '../ports/ledger-identity.ts'

/** A ledger as it was found. */
export type FoundLedger = {
  file: string
  identity: LedgerIdentity | undefined
  /** False for a ledger that was made and never used. */
  hasHistory: boolean
  place: string
}
/** What a start is configured to use it for. */
export type Wanted = {
  mode: Mode
  payTo: PaidAddresses | undefined
  /** How to get back to other addresses, for the message. */
  putBack: string
}
export type Objection = { kind: 'mode' | 'unbound' | 'address' | 'copy'; what: string; next: string }

export const toMessage = ({ what, next }: Objection): string => `${what}: ${next}`

const ELSEWHERE = 'name another directory in TOLLBOOK_DATA_DIR'

/** Every reason not to serve from this ledger, the gravest first. Only `mode` cannot be settled by adopting it. */
export function findObjections(found: FoundLedger, wanted: Wanted): Objection[] {
  const { file, identity, hasHistory, place } = found
  if (!identity) return hasHistory ? [unbound(file, wanted.mode)] : []
  if (identity.mode !== wanted.mode) return [otherMode(file, identity.mode, wanted.mode)]
  return [
    ...(isCopy(identity.place, place) ? [copied(file, pathIn(identity.place))] : []),
    ...(isPaid(identity.payTo, wanted.payTo) ? [] : [otherAddress(file, identity.payTo, wanted)]),
  ]
}

const otherMode = (file: string, was: Mode, mode: Mode): Objection => ({
  kind: 'mode',
  what: `${file} is a ledger of ${was} mode, this is ${mode} mode, and play sales must never mix with real ones`,
  next: `set TOLLBOOK_MODE=${was}, or ${ELSEWHERE} (./data/${mode} is the default)`,
})

const unbound = (file: string, mode: Mode): Objection => ({
  kind: 'unbound',
  what: `${file} was written by an earlier release and does not say in which mode`,
  next: `if it was ${mode} mode, run ./tollbook adopt with the settings of this start; else ${ELSEWHERE}`,
})

const copied = (file: string, path: string): Objection => ({
  kind: 'copy',
  what: `${file} is a copy of the ledger at ${path}, and two ledgers with one payee sell two goods for one payment`,
  next: `if the other one never serves again, run ./tollbook adopt; else ${ELSEWHERE}`,
})

const otherAddress = (file: string, was: PaidAddresses, { payTo, putBack }: Wanted): Objection => ({
  kind: 'address',
  what:
    `${file} is the ledger of what ${was.evm} and ${was.svm} were paid, and now ` +
    (payTo ? `${payTo.evm} and ${payTo.svm} are to be paid` : 'it is not known who is to be paid'),
  next: `${putBack}, or run ./tollbook adopt if the change is meant`,
})

/** Upper and lower case are one address on EVM, and two on Solana. */
function isPaid(was: PaidAddresses, now: PaidAddresses | undefined): boolean {
  return now !== undefined && was.evm.toLowerCase() === now.evm.toLowerCase() && was.svm === now.svm
}
