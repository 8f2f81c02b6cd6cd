import type { Mode } from '../../config/variables/variable.ts'

/** The addresses that are paid. */
export type PaidAddresses = { evm: string; svm: string }

/** What a ledger is bound to, so that play sales never count as real ones and no payment is sold twice. */
export type LedgerIdentity = {
  /** Random, made with the ledger and kept in all its copies. */
  ledgerId: string
  mode: Mode
  payTo: PaidAddresses
  /** Where this ledger is, in words of the database that keeps it: a copy is at another place. */
  place: string
}

export type IdentityBook = {
  /** Undefined for a new ledger and for one of an earlier release. */
  find(): Promise<LedgerIdentity | undefined>
  /** Durable when it resolves. Ledger id and mode cannot be changed. */
  save(identity: LedgerIdentity): Promise<void>
}
