import type { Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { customerOf } from '../../access/client-key.ts'
import { createRateCounters } from '../../access/rate-counters.ts'
import { paid } from '../../catalog/access.ts'
import { createCatalog } from '../../catalog/catalog.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { createPaidMint } from '../../catalog/paid.ts'
import { silentLog } from '../../core/log.ts'
import { usd } from '../../core/money.ts'
import { ServiceError, statusOf } from '../../core/service-error.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { DAY_MS } from '../../core/time/time.ts'
import { EVM_USDC } from '../../core/usdc.ts'
import type { Claim } from '../../ledger/ports/payment-book.ts'
import { createTerms } from '../../payments/challenge/terms.ts'
import { createOpenPayments } from '../../payments/gate/bounds/open-payments.ts'
import { createLeases } from '../../payments/gate/leases.ts'
import { claimText } from '../../payments/transfer-claim/claim-text.ts'
import {
  createReadTransaction,
  type ReadTransaction,
} from '../../payments/transfer-claim/read-transaction.ts'
import { createTransferChain } from '../../payments/transfer-claim/transfer-chain.ts'
import {
  createClaimTransfer,
  type FindOffer,
  type TransferClaimPorts,
  type UnlockableOffer,
} from '../../payments/transfer-claim/transfer-claims.ts'
import type { TransferClaim } from '../../products/payments/services.ts'
import { groupOf } from '../catalog/group-of.ts'
import type { Commit } from '../ledger/commit.ts'
import { createMemoryPaymentBook } from '../ledger/memory-payment-book.ts'
import type { MemoryRows } from '../ledger/memory-payment-rows.ts'
import { createScriptedNode, PAY_TO, START_MS, transferLog } from './scripted-node.ts'

/** Longer than any test here lasts. */
export const FRESH_MS = 200 * DAY_MS

/** Of one client, before it has shown a transfer. */
export const CLAIM_LOOKS = { name: 'claim-looks', calls: 3, windowS: 60 }

const shelf = (id: string, price: string) =>
  defineEndpoint({
    id,
    method: 'GET',
    path: `/${id}`,
    access: paid(usd(price)),
    summary: id,
    description: 'something that a transfer can pay for',
    freshForMs: FRESH_MS,
    params: z.object({}),
    sample: {},
    response: z.object({ made: z.int() }),
    example: { made: 1 },
    handle: () => ({ made: 0 }),
    checkExists: () => {},
    lookLimit: CLAIM_LOOKS,
  })
const catalog = createCatalog([
  groupOf(
    shelf('cheap', '0.001'),
    shelf('other', '0.05'),
    shelf('dearest', '0.1'),
    shelf('too-dear', '0.100001'),
  ),
])

type Options = {
  rows?: MemoryRows
  commit?: Commit
  signatures?: TransferClaimPorts['signatures']
  readTransaction?: ReadTransaction
  payTo?: Hex
  /** Makes the ids of a later process others. */
  boot?: string
  startMs?: number
}

/** Everything around a claim: a scripted node, a ledger in memory, a shelf with four products. */
export function createClaimWorld(options: Options = {}) {
  const { rows = new Map(), commit, payTo = PAY_TO, boot = 'first', startMs = START_MS } = options
  const clock = createManualClock(startMs)
  const node = createScriptedNode(startMs)
  const ledger = createMemoryPaymentBook({ rows, ...(commit && { commit }) })
  const made = { count: 0, failNext: false, isGone: false, isLookedUp: false, looks: 0, asOfMs: startMs }
  const readTransaction = options.readTransaction ?? createReadTransaction(node.rpc)
  const findOffer = createFindOffer(made)
  /** Whether the node has lost the time of the transfer, and which times it was asked for. */
  const past = { isLost: false, asked: [] as number[] }
  const checkPast = async (atMs: number) => {
    past.asked.push(atMs)
    if (past.isLost) throw new Error('the node no longer has the receipts of that time')
  }
  const chain = createTransferChain({
    clock,
    readTransaction,
    checkPast,
    otherwise: { ready: async () => {}, outcome: () => Promise.reject(new Error('not a transfer')) },
  })
  const claim = createClaimTransfer({
    clock,
    log: silentLog,
    random: { id: () => `id-${rows.size}-${boot}` },
    leases: createLeases({ clock, log: silentLog, book: ledger }),
    mint: createPaidMint().mint,
    ledger,
    receipts: { sign: async ({ id }) => `receipt of ${id}` },
    terms: createTerms({ evm: payTo }),
    signatures: options.signatures ?? { holds: async () => false },
    readTransaction,
    chain,
    open: createOpenPayments({ clock }),
    findOffer,
    counters: createRateCounters({ clock }),
    customerOf,
  })
  return { clock, node, ledger, made, claim, chain, rows, past }
}

function createFindOffer(made: {
  count: number
  failNext: boolean
  isGone: boolean
  isLookedUp: boolean
  looks: number
  asOfMs: number
}): FindOffer {
  return (endpoint) => {
    const product = catalog.paid.find(({ path }) => path === endpoint.split('?')[0])
    if (!product) return undefined
    const work = async () => {
      if (made.failNext) throw new Error('the source is down')
      const text = JSON.stringify({ made: ++made.count })
      return { text, bytes: text.length, asOfMs: made.asOfMs, isOutage: false }
    }
    const checkExists: UnlockableOffer['checkExists'] = async (mayLook) => {
      if (made.isLookedUp) {
        await mayLook()
        made.looks++
      }
      if (made.isGone) throw new ServiceError('not_found', 'it is gone')
    }
    return { product, request: `GET ${endpoint}`, checkExists, work }
  }
}

export async function signedClaim(
  account: PrivateKeyAccount,
  txHash: Hex,
  endpoint: string,
  { wallet = account.address }: { wallet?: Hex } = {},
) {
  const signature = await account.signMessage({ message: claimText({ txHash, endpoint }) })
  return { txHash, endpoint, wallet, signature, client: 'test' }
}

export const payer = privateKeyToAccount(`0x${'11'.repeat(32)}`)
export const stranger = privateKeyToAccount(`0x${'22'.repeat(32)}`)
export const PRICE = 100_000n
export type World = ReturnType<typeof createClaimWorld>

/** The reply's text, or the status and message of the refusal. */
async function outcomeOf(work: Promise<{ text: string }>): Promise<string> {
  try {
    return (await work).text
  } catch (error) {
    if (error instanceof ServiceError) return `${statusOf(error.code)} ${error.message}`
    throw error
  }
}
export const claimWith = async (world: World, claim: TransferClaim | Promise<TransferClaim>) =>
  outcomeOf(world.claim(await claim))

/** A good transfer with its confirmations. */
export function paidWorld(value = PRICE) {
  const world = createClaimWorld()
  const hash = world.node.add('good', [transferLog(payer.address, value)])
  world.node.mine(1)
  return { world, hash }
}

export const good = (hash: Hex) => signedClaim(payer, hash, '/cheap')
export const own = (value = PRICE, more = {}) => transferLog(payer.address, value, more)

/** A row as an x402 payment of this wallet leaves it. */
export async function settleX402(ledger: World['ledger'], transaction: Hex, wallet: Hex): Promise<void> {
  const key = `eip155:8453/${EVM_USDC}/${wallet}/0x01`
  const claim: Claim = {
    ...{ key, id: `purchase of ${wallet}`, fingerprint: 'f', identifier: undefined, productId: 'dearest' },
    ...{ request: 'GET /cheap', payer: wallet.toLowerCase(), network: 'eip155:8453', asset: EVM_USDC },
    ...{ amount: '100000', payTo: PAY_TO, payment: '{}', claimedAtMs: START_MS },
  }
  await ledger.claim(claim)
  const reply = { text: '{"made":"by x402"}', asOfMs: undefined, receipt: undefined }
  await ledger.prepare(key, 'boot-0', reply)
  await ledger.settle(key, { transaction, facilitator: 'a', settledAtMs: START_MS, receipt: undefined })
}
