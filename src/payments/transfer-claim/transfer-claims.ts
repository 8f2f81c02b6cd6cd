import type { PaidProduct } from '../../catalog/catalog.ts'
import type { PaidMint } from '../../catalog/paid.ts'
import type { PaymentTerms, Requirement } from '../../catalog/payment-terms.ts'
import type { RateCounters } from '../../catalog/rate-limit.ts'
import { createFairQueue } from '../../core/fair-queue.ts'
import type { Log } from '../../core/log.ts'
import type { MayLook } from '../../core/may-look.ts'
import { toAtomic } from '../../core/money.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { type PaymentRow, REPLY_KEPT_MS, type StoredReply } from '../../ledger/ports/payment-book.ts'
import type { PaymentLedger } from '../../ledger/ports/payment-book-queries.ts'
import { TRANSFER_PRICE, type TransferClaim } from '../../products/payments/services.ts'
import { ReplyTooLargeError } from '../chain/json-rpc.ts'
import { EVM_NETWORK } from '../challenge/terms.ts'
import type { OpenPayments } from '../gate/bounds/open-payments.ts'
import { createCollect } from '../gate/collect.ts'
import { findMissing } from '../gate/find-missing.ts'
import { makeFreshReply, type Work } from '../gate/fresh-reply.ts'
import type { Leases } from '../gate/leases.ts'
import { createLooks } from '../gate/looks.ts'
import type { Chain, Random, Receipts } from '../gate/ports.ts'
import { createSell, type Offer, type Sell } from '../gate/sell.ts'
import { createSettleHints } from '../gate/settle-hints.ts'
import type { SmartWalletSignatures } from '../read/evm/smart-wallet-signatures.ts'
import { findUsable, type Usable } from './check-transfer.ts'
import { isSignedByWallet } from './claim-text.ts'
import { createFailedClaims, type FailedClaims } from './failed-claims.ts'
import type { ReadTransaction } from './read-transaction.ts'
import { alreadyUsed, busy, forbidden, refused, tooLarge, unreachable } from './refusals.ts'
import {
  findEvmRequirement,
  isTransferKey,
  nothingToSend,
  TRANSFER_FRESH_MS,
  toPayment,
  transferKey,
} from './transfer-payment.ts'

/** The product at a path and query: undefined where no paid GET product is, throws where a param is wrong. */
export type FindOffer = (endpoint: string) => UnlockableOffer | undefined
export type UnlockableOffer = {
  product: PaidProduct
  request: string
  /** Throws where the request names something that we do not have, or that may not be looked up now. */
  checkExists: (mayLook: MayLook) => void | Promise<void>
  work: Work
}

export type TransferClaimPorts = {
  clock: Clock
  log: Log
  random: Random
  leases: Leases
  mint: PaidMint['mint']
  ledger: PaymentLedger
  receipts: Receipts
  terms: PaymentTerms
  signatures: SmartWalletSignatures
  /** Should read small receipts only, see `CLAIMED_RECEIPT`: anybody may name any transaction. */
  readTransaction: ReadTransaction
  open: OpenPayments
  /** Must know transfers, see `createTransferChain`. */
  chain: Chain
  findOffer: FindOffer
  /** Of claims that bought nothing, and of looks at sources that nobody has paid for. */
  counters: RateCounters
  customerOf: (client: string) => string
}
export type ClaimTransfer = (claim: TransferClaim) => Promise<StoredReply>

/** Anyone can sign for a transaction that does not exist: this bounds the load on our node, for all and for one customer. */
const PLACES = { places: 16, placesPerKey: 4, line: 128, linePerKey: 16, waitMs: 5_000 }

/** Checks the offer, the signature, then the chain. Only a reply that was made and stored uses up the transfer. */
export function createClaimTransfer(ports: TransferClaimPorts): ClaimTransfer {
  const desk = { ...ports, sell: createTransferSell(ports), failed: createFailedClaims(ports) }
  const queue = createFairQueue({ ...PLACES, clock: ports.clock, refuse: busy })
  return (claim) =>
    queue.run(ports.customerOf(claim.client), () =>
      countFailed(desk, claim.client, () => claimTransfer(desk, lowerCase(claim))),
    )
}

type Desk = TransferClaimPorts & { sell: Sell; failed: FailedClaims }

/** Whatever the reason: each may have made us ask the node. */
async function countFailed<T>({ failed }: Desk, client: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await failed.count(client)
    throw error
  }
}

function createTransferSell(ports: TransferClaimPorts): Sell {
  const book = ports.ledger
  const hints = createSettleHints()
  const collect = createCollect({ ...ports, book, hints, facilitators: nothingToSend })
  return createSell({ ...ports, book, facilitators: nothingToSend, collect })
}

const lowerCase = (claim: TransferClaim): TransferClaim => ({
  ...claim,
  txHash: claim.txHash.toLowerCase(),
  wallet: claim.wallet.toLowerCase(),
})

async function claimTransfer(desk: Desk, claim: TransferClaim): Promise<StoredReply> {
  const requirement = findEvmRequirement(desk.terms, toAtomic(TRANSFER_PRICE))
  if (!requirement) throw refused('transfers on Base are not accepted here')
  if (claim.wallet === requirement.payTo.toLowerCase()) throw refused('a transfer to oneself pays nobody')
  const unlockable = desk.findOffer(claim.endpoint)
  if (!unlockable) throw refused('no paid product answers GET at that endpoint')
  if (unlockable.product.access.price > TRANSFER_PRICE)
    throw refused('that product costs more than 0.10', 'pay for it through x402')
  if (!(await isSignedByWallet(claim, signaturesFor(desk, claim.client))))
    throw forbidden('the signature is not by that wallet over this transaction and endpoint')
  const { product, request, work } = unlockable
  const offer = { productId: product.id, request, work: () => makeFreshReply(desk, product, work, undefined) }

  const known = await findKnownReply(desk, claim, offer.request)
  if (known) return known
  const looks = createLooks({ ...desk, product, client: claim.client })
  const missing = await findMissing(() => unlockable.checkExists(looks.unpaid))
  if (missing && !looks.isOver()) throw missing
  const usable = await findTransfers(desk, claim, requirement)
  if (looks.isOver()) await unlockable.checkExists(looks.paid)
  const reply = await use(desk, claim.txHash, usable, offer, requirement)
  await looks.sold()
  return reply
}

/** Only those of contract wallets are asked about on the chain. */
const signaturesFor = ({ failed, signatures }: Desk, client: string): SmartWalletSignatures => ({
  async holds(asked) {
    await failed.check(client)
    return signatures.holds(asked)
  },
})

async function findTransfers(desk: Desk, claim: TransferClaim, requirement: Requirement): Promise<Usable> {
  await desk.failed.check(claim.client)
  const mined = await desk.readTransaction(claim.txHash).catch((cause) => {
    throw cause instanceof ReplyTooLargeError ? tooLarge() : unreachable(cause)
  })
  return findUsable(mined, claim.wallet, requirement)
}

/** Looked up before the chain is asked: a reply can be fetched again when its transfer is too old to be claimed. */
async function findKnownReply(
  { ledger, clock }: Desk,
  { txHash, wallet }: TransferClaim,
  request: string,
): Promise<StoredReply | undefined> {
  const rows = await ledger.findByTransaction(EVM_NETWORK, txHash)
  const same = rows.find((row) => isTransferKey(row.key) && isSameUse(row, wallet, request))
  if (!same) return undefined
  const isKept = clock.now() - (same.settledAtMs ?? 0) <= REPLY_KEPT_MS
  if (!isKept || !same.reply) throw alreadyUsed('this transfer was used more than 24 hours ago')
  return same.reply
}

const isSameUse = (row: PaymentRow, wallet: string, request: string) =>
  row.payer === wallet && row.request === request

/** A transaction may hold several transfers: takes one in progress for this request, else the first unused one. */
async function use(
  desk: Desk,
  transaction: string,
  { transfers, blockTimeMs }: Usable,
  offer: Offer,
  requirement: Requirement,
): Promise<StoredReply> {
  const rows = await Promise.all(
    transfers.map(({ position }) => desk.ledger.find(transferKey(transaction, position))),
  )
  const begun = transfers.filter((_, i) => rows[i]?.request === offer.request)
  if (begun.length === 0 && desk.clock.now() - blockTimeMs > TRANSFER_FRESH_MS)
    throw refused(
      'the transfer is more than an hour old',
      'it can buy nothing here any more; ask the operator for it, or pay through x402',
    )
  for (const transfer of begun.length > 0 ? begun : transfers) {
    const sale = await desk
      .sell(toPayment(transfer, transaction, blockTimeMs, requirement), offer, undefined)
      .catch(unlessUsed)
    if (sale?.kind === 'sold') return sale.reply
    if (sale?.kind === 'refused') throw refused('the transfer left the chain again')
  }
  throw alreadyUsed('this transfer has bought something else already')
}

function unlessUsed(error: unknown): undefined {
  if (error instanceof ServiceError && error.code === 'payment_already_used') return undefined
  throw error
}
