import type { BackoffBounds } from '../../core/time/backoff.ts'
import { DAY_MS, MINUTE_MS } from '../../core/time/time.ts'

/**
 * One row per authorization, keyed by what the chain itself allows only once. States only move forward:
 * claimed → settling → settled | void. A claim that never reached a facilitator is released: the row is gone.
 */
export type PaymentState = 'claimed' | 'settling' | 'settled' | 'void'

/** What was bought and by whom, fixed by the first use of an authorization. */
export type Claim = {
  /** network/asset/payer/nonce on EVM, network/message hash on Solana. */
  key: string
  /** Public name of the purchase; unguessable. Who knows it owns the claim. */
  id: string
  /** Digest of the exact payment and the exact request: the same key with another fingerprint is another use. */
  fingerprint: string
  /** Of the `payment-identifier` extension; unique where given. */
  identifier: string | undefined
  productId: string
  /** Method, path and query as bought. */
  request: string
  payer: string
  network: string
  asset: string
  /** Millionths of a dollar, as text. */
  amount: string
  payTo: string
  /** The payment as JSON: all that a later process needs to settle it or to ask the chain. */
  payment: string
  /** When it was claimed, or when its owner last said that it lives. */
  claimedAtMs: number
}

/** The reply as it is delivered, every time the same payment asks for it. */
export type StoredReply = { text: string; asOfMs: number | undefined; receipt: string | undefined }
/** A stored reply can be fetched again for this long. */
export const REPLY_KEPT_MS = DAY_MS

export type PaymentRow = Claim & {
  state: PaymentState
  reply: StoredReply | undefined
  facilitator: string | undefined
  transaction: string | undefined
  settledAtMs: number | undefined
}

/** So long after the last sign of life of its owner a claim is released: he has died before any money could move. */
export const CLAIM_LEASE_MS = MINUTE_MS

/** There may be thousands, and their replies are large. */
export type UnfinishedRow = Pick<PaymentRow, 'key' | 'id' | 'payer' | 'state' | 'claimedAtMs'>
/** Without its reply: nobody waits for that here. */
export type DueRow = Omit<PaymentRow, 'reply'>
export type Turn = { nowMs: number; limit: number; pauses: BackoffBounds }

export type PaymentBook = {
  /**
   * Atomic: of any number of claims for one key or identifier exactly one is `fresh`. A store writes it durably; a
   * process that is the ledger's only user may hold it in memory instead, see `held-claims.ts`.
   */
  claim(claim: Claim): Promise<{ fresh: true } | { fresh: false; row: PaymentRow }>
  /** Of claims that are still there: their owner is at work. */
  renew(ids: readonly string[], nowMs: number): Promise<void>
  /** claimed → settling, with the reply: durable before a facilitator can move money. False where the claim is gone. */
  prepare(key: string, id: string, reply: StoredReply): Promise<boolean>
  /**
   * settling → settled. Returns the row as it is afterwards; a row that was settled before does not change. `revived`:
   * it was declared void, then the money moved after all, the only backward transition. `known` is the row as it was
   * prepared: only its state can have changed since, so it need not be read again. `settledAtMs` is the time of this
   * write, or seconds before: rows are looked at again in that order, and none may appear behind.
   */
  settle(
    key: string,
    outcome: {
      transaction: string
      facilitator: string | undefined
      settledAtMs: number
      receipt: string | undefined
    },
    known?: PaymentRow,
  ): Promise<(PaymentRow & { revived?: boolean }) | undefined>
  /** settling → void: no money moved, and none can any more. A settled row stays settled. */
  void(key: string): Promise<void>
  /** Removes a claim that was never prepared. */
  release(key: string, id: string): Promise<void>
  /** Removes the claims whose owners have not been heard for `CLAIM_LEASE_MS`, and never a living one. Returns how many. */
  releaseExpired(nowMs: number): Promise<number>
  find(key: string): Promise<PaymentRow | undefined>
  findByIdentifier(identifier: string): Promise<PaymentRow | undefined>
  findById(id: string): Promise<PaymentRow | undefined>
  /** Rows neither settled nor void, oldest first. */
  unfinished(): Promise<readonly UnfinishedRow[]>
  /**
   * Settling rows whose turn has come to be asked about, who waited longest first. Each is given to one caller, whoever
   * else asks, and its next turn comes after a pause that grows.
   */
  takeDue(turn: Turn): Promise<readonly DueRow[]>
}
