import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKeyPairSignerFromPrivateKeyBytes, type KeyPairSigner, signBytes } from '@solana/kit'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PaymentTerms, Requirement } from '../../../catalog/payment-terms.ts'
import { parseAtomic, type Usd, usd } from '../../../core/money.ts'
import { createManualClock, type ManualClock } from '../../../core/time/manual-clock.ts'
import { type SvmChain, startSvmChain } from '../../../sandbox/chains/svm/chain.ts'
import { BASE_URL, cheap, NOW_MS, requirementOf, toHeader } from '../../../testing/payments/sample-evm.ts'
import { payerSigner, signTransfer } from '../../../testing/payments/sample-svm.ts'
import { createSeeded } from '../../../testing/seeded.ts'
import { createTerms } from '../../challenge/terms.ts'
import type { Payment } from '../../gate/payment.ts'
import { createReadPayment } from '../../read/read-payment.ts'
import { findWireTransaction } from '../../read/svm/svm-transaction.ts'
import { createJsonRpc, type JsonRpc } from '../json-rpc.ts'
import { BLOCKHASH_LIFE_SLOTS, createBlockhashLife } from './blockhash-life.ts'
import { createSvmReferee } from './chain.ts'
import { createSvmReviewer } from './review.ts'

const SLOT_MS = 400
const LIFE_MS = BLOCKHASH_LIFE_SLOTS * SLOT_MS
const TIMEOUT_MS = 5_000
const NETWORK = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const { payTo } = requirementOf(cheap, 'solana')

let dataDir: string
let clock: ManualClock
let chain: SvmChain
let rpc: JsonRpc
let feePayer: KeyPairSigner
let payer: KeyPairSigner
let terms: PaymentTerms
let ours: Requirement
const referee = () => createSvmReferee({ rpc, finalizedFrom: undefined })

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'referee-'))
  clock = createManualClock(NOW_MS)
  chain = await startSvmChain({ dataDir, clock, payTo })
  rpc = createJsonRpc({ rpcUrl: chain.rpcUrl, timeoutMs: TIMEOUT_MS })
  payer = await payerSigner()
  feePayer = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(3))
  terms = createTerms({ svm: payTo }, () => feePayer.address)
  ours = { ...requirementOf(cheap, 'solana'), extra: { feePayer: feePayer.address } }
  await chain.fundUsdc(payer.address, usd('0.05'))
  chain.fundSol(feePayer.address, 10n ** 9n)
}, 30_000)
afterAll(async () => {
  await chain.close()
  rmSync(dataDir, { recursive: true })
})

async function toPayment(transaction: string, version: 1 | 2 = 2): Promise<Payment> {
  const signatures = { holds: async () => false }
  const read = createReadPayment({ clock, terms, signatures, baseUrl: BASE_URL })
  const payment =
    version === 2
      ? { x402Version: 2, accepted: ours, payload: { transaction } }
      : { x402Version: 1, scheme: 'exact', network: 'solana', payload: { transaction } }
  const result = await read({ version, text: toHeader(payment) }, cheap, 'client')
  if ('reason' in result || result.problem) throw new Error(JSON.stringify(result))
  return result.payment
}
async function latestOf(): Promise<{ blockhash: string }> {
  const { value } = (await rpc.call('getLatestBlockhash', [])) as { value: { blockhash: string } }
  return { blockhash: value.blockhash }
}
const fresh = async (): Promise<string> => signTransfer(ours, await latestOf())
/** Signs as the fee payer and sends, as a facilitator does. */
async function land(transaction: string): Promise<string> {
  const wire = Buffer.from(transaction, 'base64')
  const message = findWireTransaction(transaction)?.message
  if (!message) throw new Error('no transaction')
  wire.set(await signBytes(feePayer.keyPair.privateKey, new Uint8Array(message)), 1)
  const options = { encoding: 'base64', skipPreflight: true }
  return String(await rpc.call('sendTransaction', [wire.toString('base64'), options]))
}

describe('Solana as referee', () => {
  test('open before, paid after, with a hint, without one and with a wrong one', async () => {
    const transaction = await fresh()
    const payment = await toPayment(transaction)
    expect(await referee().outcome(payment, undefined)).toEqual({ kind: 'open' })
    const before = await chain.usdcOf(payTo)
    const signature = await land(transaction)
    clock.advance(SLOT_MS)
    const other = await land(await fresh())
    expect((await chain.usdcOf(payTo)) - before).toBe(2n * BigInt(ours.amount))
    for (const hint of [signature, undefined, other, 'nonsense'])
      expect(await referee().outcome(payment, hint)).toEqual({ kind: 'paid', transaction: signature })
    clock.advance(10 * LIFE_MS)
    expect(await referee().outcome(JSON.parse(JSON.stringify(payment)), undefined)).toEqual({
      kind: 'paid',
      transaction: signature,
    })
  })

  test('not landed: open while it could, dead only a whole life after the blockhash was seen invalid', async () => {
    clock.advance(SLOT_MS)
    const judge = referee()
    const payment = await toPayment(await fresh())
    clock.advance(150 * SLOT_MS)
    expect(await judge.outcome(payment, undefined)).toEqual({ kind: 'open' })
    clock.advance(SLOT_MS)
    expect(await judge.outcome(payment, undefined)).toEqual({ kind: 'open' })
    clock.advance(LIFE_MS - SLOT_MS)
    expect(await judge.outcome(payment, undefined)).toEqual({ kind: 'open' })
    clock.advance(SLOT_MS)
    expect(await judge.outcome(payment, undefined, NOW_MS)).toEqual({ kind: 'dead', isAbsent: true })
    expect(await referee().outcome(payment, undefined)).toEqual({ kind: 'open' })
  })

  test('landed and failed is not paid', async () => {
    clock.advance(SLOT_MS)
    const judge = referee()
    const rich = { ...ours, amount: '1000000' }
    const transaction = await signTransfer(rich, await latestOf())
    const payment = { ...(await toPayment(await fresh())), payload: { payload: { transaction } } }
    const signature = await land(transaction)
    expect(await judge.outcome(payment, signature)).toEqual({ kind: 'open' })
    clock.advance(LIFE_MS)
    expect(await judge.outcome(payment, signature)).toEqual({ kind: 'open' })
    clock.advance(LIFE_MS)
    expect(await judge.outcome(payment, signature)).toEqual({ kind: 'dead', isAbsent: true })
  })

  test('from a price on it is paid when it is finalized, and not before', async () => {
    clock.advance(SLOT_MS)
    let status = 'confirmed'
    const young: JsonRpc = {
      ...rpc,
      call: async (method, params) =>
        method === 'getSignatureStatuses'
          ? { value: [{ err: null, confirmationStatus: status }] }
          : rpc.call(method, params),
    }
    const price = parseAtomic(ours.amount)
    const strict = createSvmReferee({ rpc: young, finalizedFrom: price })
    const lenient = createSvmReferee({ rpc: young, finalizedFrom: (price + 1n) as Usd })
    const transaction = await fresh()
    const payment = await toPayment(transaction)
    const signature = await land(transaction)
    const paid = { kind: 'paid', transaction: signature }
    for (const hint of [signature, undefined]) {
      expect(await strict.outcome(payment, hint)).toEqual({ kind: 'open', isSeen: true })
      expect(await lenient.outcome(payment, hint)).toEqual(paid)
    }
    status = 'finalized'
    for (const hint of [signature, undefined]) expect(await strict.outcome(payment, hint)).toEqual(paid)
  })

  test('payments of the stock clients of both versions are read and found', async () => {
    clock.advance(SLOT_MS)
    const config = { rpcUrl: chain.rpcUrl }
    const v2 = await new ExactSvmScheme(payer, config).createPaymentPayload(2, { ...ours, network: NETWORK })
    const required = { ...ours, network: 'solana', maxAmountRequired: ours.amount, resource: BASE_URL }
    const v1 = await new ExactSvmSchemeV1(payer, config).createPaymentPayload(1, required as never)
    for (const [version, { payload }] of [
      [2, v2],
      [1, v1],
    ] as const) {
      const transaction = String(payload.transaction)
      const payment = await toPayment(transaction, version)
      const signature = await land(transaction)
      expect(await referee().outcome(payment, undefined)).toEqual({ kind: 'paid', transaction: signature })
    }
  })
})

describe('what was settled on Solana', () => {
  /** The oldest that a node has which lost its past. */
  const FIRST_SLOT = 2 ** 40
  /** A node on which nothing that landed is final yet, or which has dropped all of it, or lost its past. */
  const fork = { status: 'confirmed', isDropped: false, firstBlockMs: 0 }
  const forked: JsonRpc = {
    async call(method, params) {
      if (fork.isDropped && method === 'getSignaturesForAddress') return []
      if (fork.firstBlockMs > 0 && method === 'getFirstAvailableBlock') return FIRST_SLOT
      if (method === 'getBlockTime' && params[0] === FIRST_SLOT) return Math.floor(fork.firstBlockMs / 1_000)
      if (method !== 'getSignatureStatuses') return rpc.call(method, params)
      const landed = (await rpc.call(method, params)) as { value: unknown[] }
      const value = landed.value.map((found) => (fork.isDropped ? null : found && young))
      return { ...landed, value }
    },
    batch: async () => [],
  }
  const young = {
    err: null,
    get confirmationStatus() {
      return fork.status
    },
  }

  test('is final when its slot is, also under another signature than was kept', async () => {
    Object.assign(fork, { status: 'confirmed', isDropped: false })
    clock.advance(SLOT_MS)
    const transaction = await fresh()
    const payment = await toPayment(transaction)
    const signature = await land(transaction)
    const times = { claimedAtMs: clock.now(), settledAtMs: clock.now() }
    const kept = [signature, '1'.repeat(64)].map((each) => ({ payment, transaction: each, ...times }))
    const { review, finalMs } = createSvmReviewer({ rpc: forked })
    expect(await review(kept)).toEqual([{ kind: 'early' }, { kind: 'early' }])
    fork.status = 'finalized'
    const final = { kind: 'final', transaction: signature }
    expect(await review(kept)).toEqual([final, final])
    expect(Math.abs((await finalMs()) - clock.now())).toBeLessThan(60_000)
  })

  test('and dropped is undone once later slots are final, and over when its blockhash is', async () => {
    Object.assign(fork, { status: 'confirmed', isDropped: true })
    clock.advance(SLOT_MS)
    const transaction = await fresh()
    const payment = await toPayment(transaction)
    const signature = await land(transaction)
    const kept = { payment, transaction: signature, claimedAtMs: clock.now(), settledAtMs: clock.now() }
    const { review } = createSvmReviewer({ rpc: forked })
    expect(await review([kept])).toEqual([{ kind: 'early' }])
    clock.advance(LIFE_MS)
    expect(await review([kept])).toEqual([{ kind: 'undone', isOver: false }])
    clock.advance(LIFE_MS)
    expect(await review([kept])).toEqual([{ kind: 'undone', isOver: true }])
  })

  test('is not undone by a node that has lost that time, before its blockhash is over and after', async () => {
    clock.advance(SLOT_MS)
    Object.assign(fork, { status: 'finalized', isDropped: true, firstBlockMs: clock.now() })
    const transaction = await fresh()
    const payment = await toPayment(transaction)
    const signature = await land(transaction)
    const kept = { payment, transaction: signature, claimedAtMs: clock.now(), settledAtMs: clock.now() }
    const { review } = createSvmReviewer({ rpc: forked })
    const unseen = {
      kind: 'unseen',
      error: expect.objectContaining({ message: expect.stringMatching('no longer') }),
    }
    for (let lives = 0; lives < 3; lives++) {
      clock.advance(LIFE_MS)
      expect(await review([kept])).toEqual([unseen])
    }
    fork.firstBlockMs = 0
    expect(await review([kept])).toEqual([{ kind: 'undone', isOver: true }])
  })

  test('and undone is not paid by another transaction that a facilitator names, only by its own', async () => {
    Object.assign(fork, { status: 'finalized', isDropped: false, firstBlockMs: 0 })
    clock.advance(SLOT_MS)
    const [transaction, other] = [
      await fresh(),
      await signTransfer({ ...ours, amount: '1' }, await latestOf()),
    ]
    const payment = await toPayment(transaction)
    const named = await land(other)
    const times = { claimedAtMs: clock.now(), settledAtMs: clock.now() }
    const undone = { payment, transaction: '1'.repeat(64), ...times }
    const { review } = createSvmReviewer({ rpc: forked })
    clock.advance(LIFE_MS)
    for (const hint of [named, 'nonsense', undefined])
      expect(await review([{ ...undone, hint }])).toEqual([{ kind: 'undone', isOver: false }])
  })

  test.each([
    ['lists transactions', ['getSignatureStatuses'], ['getSignaturesForAddress']],
    ['knows signatures', [], ['getSignatureStatuses']],
    ['answers all but the time', [], ['getSignatureStatuses', 'isBlockhashValid', 'getSignaturesForAddress']],
  ])('is not undone where a machine 48 s behind %s', async (_, forgetful, behind) => {
    clock.advance(SLOT_MS)
    const transaction = await fresh()
    const payment = await toPayment(transaction)
    const signature = await land(transaction)
    const times = { claimedAtMs: clock.now(), settledAtMs: clock.now() }
    const lagDir = mkdtempSync(join(tmpdir(), 'referee-behind-'))
    clock.advance(40_000)
    const late = createManualClock(clock.now() - 120 * SLOT_MS)
    const lagging = await startSvmChain({ dataDir: lagDir, clock: late, payTo })
    const lag = createJsonRpc({ rpcUrl: lagging.rpcUrl, timeoutMs: TIMEOUT_MS })
    const balanced: JsonRpc = {
      async call(method, params) {
        if (behind.includes(method)) return lag.call(method, params)
        const reply = await rpc.call(method, params)
        return forgetful.includes(method) ? { ...(reply as object), value: [null] } : reply
      },
      batch: async () => [],
    }
    const { review } = createSvmReviewer({ rpc: balanced })
    const kept = [{ payment, transaction: signature, ...times }]
    const said = await review(kept).catch((error) => [{ kind: 'no answer', error }])
    const error = expect.objectContaining({ message: expect.stringMatching(/context slot|behind/) })
    expect(said).toEqual([{ kind: expect.stringMatching('unseen|no answer'), error }])
    const { review: reviewOfOne } = createSvmReviewer({ rpc })
    expect(await reviewOfOne(kept)).toEqual([{ kind: 'final', transaction: signature }])
    await lagging.close()
    rmSync(lagDir, { recursive: true })
  })

  test('and sent again is final in the transaction that was named', async () => {
    Object.assign(fork, { status: 'finalized', isDropped: false, firstBlockMs: 0 })
    clock.advance(SLOT_MS)
    const transaction = await fresh()
    const payment = await toPayment(transaction)
    const hint = await land(transaction)
    const times = { claimedAtMs: clock.now(), settledAtMs: clock.now() }
    const { review } = createSvmReviewer({ rpc: forked })
    expect(await review([{ payment, transaction: '1'.repeat(64), hint, ...times }])).toEqual([
      { kind: 'final', transaction: hint },
    ])
  })
})

test('a blockhash younger than the finalized bank is not over', async () => {
  let slot = 1_000
  const validFrom = { processed: 1_000, finalized: 1_032 }
  const node: JsonRpc = {
    async call(_, [, options]) {
      const { commitment } = options as { commitment: keyof typeof validFrom }
      const at = commitment === 'finalized' ? slot - 32 : slot
      return { context: { slot: at }, value: at >= validFrom.processed && at <= validFrom.processed + 150 }
    },
    batch: async () => [],
  }
  const { lifeOf } = createBlockhashLife(node)
  slot = 990
  expect((await lifeOf('h', undefined)).goneAtSlot).toBeUndefined()
  for (slot = 1_000; slot <= 1_150 + 32; slot += 16)
    expect(await lifeOf('h', undefined)).toEqual({ goneAtSlot: undefined, floorSlot: 968 - 160 })
  slot = 1_184
  expect((await lifeOf('h', undefined)).goneAtSlot).toBeUndefined()
  slot = 1_184 + 32 + 159
  expect((await lifeOf('h', undefined)).goneAtSlot).toBeUndefined()
  slot = 1_184 + 32 + 160
  expect((await lifeOf('h', undefined)).goneAtSlot).toBe(slot - 32)
})

test('of machines behind one address, one that is behind ends no blockhash that lives', async () => {
  const HEAD = 1_000_000
  const MADE_AT = HEAD - 5
  const random = createSeeded(1)
  const node: JsonRpc = {
    async call(method, [asked, options]) {
      if (method === 'getBlockTime') return Math.floor((Number(asked) - HEAD) * 0.4) + 1_800_000_000
      const head = HEAD - random.pick([0, 40, 200, 400])
      const at = (options as { commitment: string }).commitment === 'finalized' ? head - 32 : head
      return { context: { slot: at }, value: at >= MADE_AT && at <= MADE_AT + 150 }
    },
    batch: async () => [],
  }
  for (let payment = 0; payment < 200; payment++) {
    const { lifeOf } = createBlockhashLife(node)
    for (let look = 0; look < 10; look++) {
      const life = await lifeOf('h', 1_800_000_000_000).catch(() => undefined)
      expect(life?.goneAtSlot).toBeUndefined()
    }
  }
})
