import type { PaymentRow } from './payment-book.ts'
import type { Sum } from './payment-book-queries.ts'

/** Up to where the settled rows of a network were looked at again; the second part tells rows of one moment apart. */
export type Mark = { settledAtMs: number; seq: number }

/** A settled row, as far as it takes to ask the chain about it once more. */
export type SettledPayment = Pick<
  PaymentRow,
  'key' | 'payer' | 'productId' | 'network' | 'amount' | 'payment' | 'claimedAtMs'
> & { transaction: string; settledAtMs: number }

/**
 * unseen: no node could say whether it stands · open: undone, and it may still be paid · paid: it stands, under the
 * transaction that is kept · lost: undone, and it can never be paid. States only move forward.
 */
export const UNDONE_STATES = ['unseen', 'open', 'paid', 'lost'] as const
export type UndoneState = (typeof UNDONE_STATES)[number]

export type UndonePayment = SettledPayment & {
  state: UndoneState
  foundAtMs: number
  /** Where the money moved in the end. */
  newTransaction: string | undefined
  decidedAtMs: number | undefined
}
/** What was found out about a settled row; a transaction where it is paid. */
export type Finding = { key: string; state: UndoneState; transaction: string | undefined; atMs: number }

export type FinalityOverview = {
  /** Where each network has come to; one without is at its beginning. */
  marks: readonly (Mark & { network: string })[]
  /** How many payments are in each state, and what they cost. */
  undone: Readonly<Record<UndoneState, Sum>>
  /** Newest first, `UNDONE_LISTED` at most. */
  newest: readonly UndonePayment[]
}
export const UNDONE_LISTED = 20

export type Passage = {
  /** Of the network asked for, in the order in which they were settled. */
  rows: readonly (SettledPayment & { mark: Mark })[]
  /** Behind the last row that was read, whichever network it is of; undefined where there was none. */
  readTo: Mark | undefined
}

/** Settled rows on their way to finality. The rows themselves never change; what was undone stands beside them. */
export type FinalityBook = {
  mark(network: string): Promise<Mark>
  /** Reads so many rows behind the mark, none of them settled later than `untilMs`. */
  settledAfter(network: string, mark: Mark, untilMs: number, limit: number): Promise<Passage>
  /** In one step: keeps the findings, and how far the network has come. A payment that is kept already stays as it is. */
  pass(network: string, mark: Mark, findings: readonly Finding[]): Promise<void>
  /** Moves a kept payment on; false where it is decided. */
  decide(finding: Finding): Promise<boolean>
  /** Open ones, and unseen ones found since; behind `afterKey` where it is one of them. */
  undecided(query: {
    unseenSinceMs: number
    afterKey: string | undefined
    limit: number
  }): Promise<readonly UndonePayment[]>
  /** Who has an open payment, and who lost one since. */
  payersUndone(lostSinceMs: number): Promise<readonly { payer: string; lostAtMs: number | undefined }[]>
  overview(): Promise<FinalityOverview>
}
