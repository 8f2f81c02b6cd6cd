import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKeyPairSignerFromPrivateKeyBytes, type KeyPairSigner, signBytes } from '@solana/kit'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PaymentTerms, Requirement } from '../../../catalog/payment-terms.ts'
import { usd } from '../../../core/money.ts'
import { createManualClock, type ManualClock } from '../../../core/time/manual-clock.ts'
import { type SvmChain, startSvmChain } from '../../../sandbox/chains/svm/chain.ts'
import { BASE_URL, cheap, NOW_MS, requirementOf, toHeader } from '../../../testing/payments/sample-evm.ts'
import { payerSigner, signTransfer } from '../../../testing/payments/sample-svm.ts'
import { createTerms } from '../../challenge/terms.ts'
import type { Payment } from '../../gate/payment.ts'
import { createReadPayment } from '../../read/read-payment.ts'
import { findWireTransaction } from '../../read/svm/svm-transaction.ts'
import { createJsonRpc, type JsonRpc } from '../json-rpc.ts'
import { BLOCKHASH_LIFE_SLOTS, createBlockhashLife } from './blockhash-life.ts'
import { createSvmReferee } from './chain.ts'

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
const referee = () => createSvmReferee({ rpcUrl: chain.rpcUrl, timeoutMs: TIMEOUT_MS })

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'referee-'))
  clock = createManualClock(NOW_MS)
  chain = await startSvmChain({ dataDir, clock, payTo })
  rpc = createJsonRpc({ rpcUrl: chain.rpcUrl, timeoutMs: TIMEOUT_MS })
  payer = await payerSigner()
  feePayer = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(3))
  terms = createTerms({ svm: payTo }, () => feePayer.address)
  ours = { ...requirementOf(cheap, 'solana'), extra: { feePayer: feePayer.address } }
  await chain.fundUsdc(payer.address, usd('0.01'))
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
async function fresh(): Promise<string> {
  const latest = (await rpc.call('getLatestBlockhash', [])) as { value: { blockhash: string } }
  return signTransfer(ours, { blockhash: latest.value.blockhash })
}
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
    expect(await judge.outcome(payment, undefined)).toEqual({ kind: 'dead' })
    expect(await referee().outcome(payment, undefined)).toEqual({ kind: 'open' })
  })

  test('landed and failed is not paid', async () => {
    clock.advance(SLOT_MS)
    const judge = referee()
    const latest = (await rpc.call('getLatestBlockhash', [])) as { value: { blockhash: string } }
    const rich = { ...ours, amount: '1000000' }
    const transaction = await signTransfer(rich, { blockhash: latest.value.blockhash })
    const payment = { ...(await toPayment(await fresh())), payload: { payload: { transaction } } }
    const signature = await land(transaction)
    expect(await judge.outcome(payment, signature)).toEqual({ kind: 'open' })
    clock.advance(LIFE_MS)
    expect(await judge.outcome(payment, signature)).toEqual({ kind: 'open' })
    clock.advance(LIFE_MS)
    expect(await judge.outcome(payment, signature)).toEqual({ kind: 'dead' })
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
  expect((await lifeOf('h')).goneAtSlot).toBeUndefined()
  for (slot = 1_000; slot <= 1_150 + 32; slot += 16)
    expect(await lifeOf('h')).toEqual({ goneAtSlot: undefined, floorSlot: 968 - 160 })
  slot = 1_184
  expect((await lifeOf('h')).goneAtSlot).toBeUndefined()
  slot = 1_184 + 159
  expect((await lifeOf('h')).goneAtSlot).toBeUndefined()
  slot = 1_184 + 160
  expect((await lifeOf('h')).goneAtSlot).toBe(slot - 32)
})
