import type { Mode } from '../../config/variables/variable.ts'
import type { LedgerIdentity, PaidAddresses } from '../ports/ledger-identity.ts'

/** A ledger as it was found. */
export type FoundLedger = {
  kept: 'file' | 'database'
  /** What messages call it: a path, or a database without its password. */
  name: string
  identity: LedgerIdentity | undefined
  /** False for a ledger that was made and never used. */
  hasHistory: boolean
  place: string
  /** Where the ledger is that this one is a copy of. */
  copyOf: string | undefined
  /** The database that serves in its place. */
  movedTo: string | undefined
  /** The ledger that was to be copied into this one, which was not finished. */
  halfCopiedFrom: string | undefined
}
/** What a start is configured to use it for. */
export type Wanted = {
  mode: Mode
  payTo: PaidAddresses | undefined
  /** How to get back to other addresses, for the message. */
  putBack: string
}
export type Objection = {
  kind: 'mode' | 'unbound' | 'address' | 'copy' | 'moved' | 'half-copied'
  what: string
  next: string
}

export const toMessage = ({ what, next }: Objection): string => `${what}: ${next}`

/** What to do to use another ledger. */
export const ELSEWHERE: Readonly<Record<FoundLedger['kept'], string>> = {
  file: 'name another directory in TOLLBOOK_DATA_DIR',
  database: 'name another database in DATABASE_URL',
}

/** Every reason not to serve from this ledger, the gravest first. `mode` and `half-copied` cannot be settled by adopting it. */
export function findObjections(found: FoundLedger, wanted: Wanted): Objection[] {
  const { identity, hasHistory } = found
  if (found.halfCopiedFrom !== undefined) return [halfCopied(found, found.halfCopiedFrom)]
  if (!identity) return hasHistory ? [unbound(found, wanted.mode)] : []
  if (identity.mode !== wanted.mode) return [otherMode(found, identity.mode, wanted.mode)]
  return [
    ...(found.movedTo === undefined ? [] : [moved(found.name, found.movedTo)]),
    ...(found.copyOf === undefined ? [] : [copied(found, found.copyOf)]),
    ...(isPaid(identity.payTo, wanted.payTo) ? [] : [otherAddress(found, identity.payTo, wanted)]),
  ]
}

const halfCopied = ({ name, kept }: FoundLedger, from: string): Objection => ({
  kind: 'half-copied',
  what: `${name} was to get a copy of the ledger at ${from}, which was not finished`,
  next: `run ./tollbook ledger copy again, or ${ELSEWHERE[kept]}`,
})

const otherMode = ({ name, kept }: FoundLedger, was: Mode, mode: Mode): Objection => ({
  kind: 'mode',
  what: `${name} is a ledger of ${was} mode, this is ${mode} mode, and play sales must never mix with real ones`,
  next: `set TOLLBOOK_MODE=${was}, or ${ELSEWHERE[kept]}${kept === 'file' ? ` (./data/${mode} is the default)` : ''}`,
})

function unbound({ name, kept }: FoundLedger, mode: Mode): Objection {
  if (kept === 'database')
    return {
      kind: 'unbound',
      what: `${name} holds sales and does not say in which mode and to whom`,
      next: `put a dump of the whole ledger back, or ${ELSEWHERE[kept]}`,
    }
  return {
    kind: 'unbound',
    what: `${name} was written by an earlier release and does not say in which mode`,
    next: `if it was ${mode} mode, run ./tollbook adopt with the settings of this start; else ${ELSEWHERE[kept]}`,
  }
}

const moved = (name: string, to: string): Objection => ({
  kind: 'moved',
  what: `${name} was moved to ${to}, which serves in its place, and two ledgers with one payee sell two goods for one payment`,
  next: 'set DATABASE_URL to that database; if it never serves again, run ./tollbook adopt --take-back',
})

const copied = ({ name, kept }: FoundLedger, original: string): Objection => ({
  kind: 'copy',
  what: `${name} is a copy of the ledger at ${original}, and two ledgers with one payee sell two goods for one payment`,
  next: `if the other one never serves again, run ./tollbook adopt; else ${ELSEWHERE[kept]}`,
})

const otherAddress = (
  { name, kept }: FoundLedger,
  was: PaidAddresses,
  { payTo, putBack }: Wanted,
): Objection => ({
  kind: 'address',
  what:
    `${name} is the ledger of what ${was.evm} and ${was.svm} were paid, and now ` +
    (payTo ? `${payTo.evm} and ${payTo.svm} are to be paid` : 'it is not known who is to be paid'),
  next: `${kept === 'database' ? `${ELSEWHERE[kept]} if it is the ledger of another service; else ` : ''}${putBack}, or run ./tollbook adopt if the change is meant`,
})

/** Upper and lower case are one address on EVM, and two on Solana. */
function isPaid(was: PaidAddresses, now: PaidAddresses | undefined): boolean {
  return now !== undefined && was.evm.toLowerCase() === now.evm.toLowerCase() && was.svm === now.svm
}
