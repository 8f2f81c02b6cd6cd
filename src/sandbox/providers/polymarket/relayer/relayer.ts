import { randomUUID } from 'node:crypto'
import { type Address, getAddress, isAddress } from 'viem'
import { PROVIDERS } from '../../../../config/providers.ts'
import { POLYMARKET_CONTRACTS } from '../../../../upstreams/polymarket/relayer/addresses.ts'
import type { Custody, WalletBatch } from '../../../prediction/custody.ts'
import { createSerialQueue } from '../../../serial-queue.ts'
import type { ProviderServer } from '../../provider-server.ts'
import { json, ok, type ProviderRequest, type Reply } from '../../reply.ts'
import { isAuthorized, type RelayerKeys } from './relayer-keys.ts'
import { createRelayerTransactions } from './relayer-transactions.ts'
import {
  checkSubmission,
  parseSubmission,
  refuseIf,
  type Submission,
  SubmissionRefused,
} from './submission.ts'

export type RelayerInput = {
  /** Undefined where there is no chain: then nothing but errors is answered. */
  custody: () => Custody | undefined
  /** The venue's time. */
  nowMs: () => number
  keys: RelayerKeys
  /** Done before a batch is carried out. */
  prepare?: (batch: WalletBatch) => Promise<void>
  randomId?: () => string
  /** What a block takes, after which it tells of the next step of a transaction. */
  blockMs?: number | undefined
}

type Handle = (request: ProviderRequest, custody: Custody) => Promise<Reply> | Reply

const MAX_WAITING = 100
/** As published, for the paths that have a limit of their own. */
const SUBMIT_LIMIT = PROVIDERS.relayer.limits[1]
const refused = (status: number, error: string, headers = {}) => json(status, { error }, headers)

/** The relayer of Polymarket: it carries out what owners of deposit wallets signed. */
export function createRelayer(input: RelayerInput): ProviderServer {
  const { custody, nowMs, keys, prepare = async () => {}, randomId = randomUUID, blockMs } = input
  const transactions = createRelayerTransactions({ nowMs, randomId, blockMs })
  // Batches of one wallet are carried out in the order of their nonces.
  const inTurn = createSerialQueue({ maxWaiting: MAX_WAITING })
  const carryOut = async (batch: WalletBatch, at: Custody) => {
    await prepare(batch)
    return at.execute(batch)
  }
  const admit = createSubmitLimit(nowMs)
  const nextNonce = async (at: Custody, wallet: Address) =>
    (await at.nonceOf(wallet)) + BigInt(transactions.pendingNonces(wallet))

  const take = async (submission: Submission, at: Custody) => {
    await checkSubmission(submission, at, nowMs())
    const { owner, type } = submission
    const shared = { type, owner, wallet: at.walletOf(owner), to: POLYMARKET_CONTRACTS.walletFactory }
    if (submission.type === 'WALLET-CREATE')
      return transactions.add({ ...shared, nonce: undefined, signature: '' }, () =>
        inTurn.run(() => at.deploy(owner)),
      )
    const { batch } = submission
    const { nonce, signature } = batch
    const onChain = await at.nonceOf(batch.wallet)
    // Counted and taken in one step: of two that come at once only one gets the nonce.
    refuseIf(nonce !== onChain + BigInt(transactions.pendingNonces(batch.wallet)), 'invalid nonce')
    return transactions.add({ ...shared, nonce, signature }, () => inTurn.run(() => carryOut(batch, at)))
  }
  const routes: Readonly<Record<string, Handle>> = {
    'GET /nonce': withAddress(async (address, at) =>
      ok({ nonce: String(await nextNonce(at, at.walletOf(address))) }),
    ),
    // Clients name the wallet or its owner.
    'GET /deployed': withAddress(async (address, at) =>
      ok({ deployed: (await at.isDeployed(address)) || (await at.isDeployed(at.walletOf(address))) }),
    ),
    'GET /transaction': ({ query }) => {
      const found = transactions.find(query.get('id') ?? '')
      return found ? ok([found]) : refused(404, 'transaction not found')
    },
    'GET /transactions': (request) =>
      isAuthorized(keys, request, nowMs()) ? ok(transactions.recent()) : UNAUTHORIZED,
    'POST /submit': async (request, at) => {
      // First, so that strangers do not use up what the owner of the key may submit.
      if (!isAuthorized(keys, request, nowMs())) return UNAUTHORIZED
      const waitMs = admit()
      if (waitMs > 0)
        return refused(429, 'rate limit exceeded', { 'retry-after': String(Math.ceil(waitMs / 1000)) })
      return ok({ transactionID: await take(parseSubmission(request.body), at), state: 'STATE_NEW' })
    },
  }
  return {
    async rest(request) {
      const handle = routes[`${request.method} ${request.path}`]
      const at = custody()
      if (!handle) return undefined
      if (!at) return refused(503, 'service unavailable')
      try {
        return await handle(request, at)
      } catch (error) {
        if (error instanceof SubmissionRefused) return refused(400, error.message)
        throw error
      }
    },
    socketAt: () => undefined,
    close() {},
  }
}

const UNAUTHORIZED = refused(401, 'invalid authorization')

function withAddress(answer: (address: Address, at: Custody) => Promise<Reply>): Handle {
  return async ({ query }, at) => {
    const address = query.get('address') ?? ''
    if (!isAddress(address, { strict: false })) return refused(400, 'invalid address')
    return answer(getAddress(address.toLowerCase()), at)
  }
}

/** How long the next submission has to wait; zero counts it. */
function createSubmitLimit(nowMs: () => number): () => number {
  let admitted: readonly number[] = []
  return () => {
    const atMs = nowMs()
    admitted = admitted.filter((each) => each > atMs - SUBMIT_LIMIT.perMs)
    if (admitted.length >= SUBMIT_LIMIT.count) return (admitted[0] ?? atMs) + SUBMIT_LIMIT.perMs - atMs
    admitted = [...admitted, atMs]
    return 0
  }
}
