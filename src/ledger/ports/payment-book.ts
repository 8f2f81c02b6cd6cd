import { DAY_MS } from '../../core/time.ts'

/**
 * One row per authorization, keyed by what the chain itself allows only once. States only move forward:
 * claimed → settling → settled | void. A claim that never reached a facilitator is released: the row is gone.
 */
export type PaymentState = 'claimed' | 'settling' | 'settled' | 'void'

/** What was bought and by whom, fixed by the first use of an authorization. */
export type Claim = {
  /** network/asset/payer/nonce on EVM, network/message hash on Solana. */
  key: string
  /** Public name of the purchase; unguessable. */
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
  /** What a later process needs to settle it or to ask the chain: the payment as JSON. */
  payment: string
  /** Of the process that made the claim: recovery touches only rows of earlier ones. */
  bootId: string
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

/** No process has this boot id. */
export const EVERY_PROCESS = ''

export type PaymentBook = {
  /**
   * Atomic: of any number of claims for one key or identifier exactly one is `fresh`. A store keeps it durably; a process
   * that has the ledger to itself may hold it instead, see `held-claims.ts`.
   */
  claim(claim: Claim): Promise<{ fresh: true } | { fresh: false; row: PaymentRow }>
  /** claimed → settling, with the reply: durable before any facilitator may move money. False when the row is not ours to prepare. */
  prepare(key: string, bootId: string, reply: StoredReply): Promise<boolean>
  /**
   * settling → settled. Answers the row as it is afterwards; a row settled before stays as it was. `revived`: it had
   * been declared void and the money moved after all, the one step back there is. `known` is the row as it was prepared:
   * nothing but its state can have changed since, so that it need not be read again.
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
  /** settling → void: nothing moved and nothing can move any more. A settled row stays settled. */
  void(key: string): Promise<void>
  /** Removes a claim that was never prepared. */
  release(key: string, bootId: string): Promise<void>
  find(key: string): Promise<PaymentRow | undefined>
  findByIdentifier(identifier: string): Promise<PaymentRow | undefined>
  findById(id: string): Promise<PaymentRow | undefined>
  /** Rows neither settled nor void that another process began; `EVERY_PROCESS` leaves none out. */
  unfinished(exceptBootId: string): Promise<readonly PaymentRow[]>
}
