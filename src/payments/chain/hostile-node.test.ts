import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRateCounters } from '../../access/rate-counters.ts'
import { systemClock } from '../../core/time/clock.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import {
  BASE_URL,
  cheap,
  NOW_MS,
  requirementOf,
  signAuthorization,
  terms,
  toHeader,
} from '../../testing/payments/sample-evm.ts'
import { signTransfer } from '../../testing/payments/sample-svm.ts'
import type { Payment } from '../gate/payment.ts'
import { createSmartWalletSignatures } from '../read/evm/smart-wallet-signatures.ts'
import { createReadPayment } from '../read/read-payment.ts'
import { createChain } from './chain.ts'
import { createEvmReferee } from './evm/chain.ts'
import { createJsonRpc } from './json-rpc.ts'
import { createSvmReferee } from './svm/chain.ts'

type Request = { id: number; method: string; params: unknown[] }
type Answer = (request: Request) => unknown
/** The node's reply: a text is sent unchanged, undefined means no reply at all. */
let answer: Answer = () => undefined
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const asked = JSON.parse(body)
  const reply = Array.isArray(asked) ? asked.map(answer) : answer(asked)
  if (reply === undefined) return
  response.statusCode = reply === 'down' ? 503 : 200
  response.end(typeof reply === 'string' ? reply : JSON.stringify(reply))
})
let rpcUrl: string
let evm: Payment
let svm: Payment
/** Long, so that a busy machine does not time out; short where no answer comes. */
const PATIENT_MS = 10_000
const IMPATIENT_MS = 150
const timeoutFor = (name: string) => (name === SILENCE ? IMPATIENT_MS : PATIENT_MS)
const SILENCE = 'nothing at all'

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const signatures = { holds: async () => false }
  const read = createReadPayment({ clock: createManualClock(NOW_MS), terms, signatures, baseUrl: BASE_URL })
  const ours = [requirementOf(cheap, 'eip155'), requirementOf(cheap, 'solana')] as const
  const paymentOf = async (accepted: object, payload: object) => {
    const result = await read(
      { version: 2, text: toHeader({ x402Version: 2, accepted, payload }) },
      cheap,
      'client',
    )
    if ('reason' in result || result.problem) throw new Error(JSON.stringify(result))
    return result.payment
  }
  evm = await paymentOf(ours[0], await signAuthorization(ours[0]))
  svm = await paymentOf(ours[1], { transaction: await signTransfer(ours[1]) })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const HEAD = '0x10'
const block = (at: unknown) => ({
  number: at === 'latest' || at === 'finalized' ? HEAD : at,
  timestamp: '0x7fffffff',
})
const word = (digit: number) => `0x${'0'.repeat(63)}${digit}`
/** An honest node of either kind at a late time: everything expired and nothing was used. */
const SOUND: Record<string, unknown> = {
  eth_getTransactionReceipt: null,
  eth_blockNumber: '0x10',
  eth_call: word(0),
  eth_getLogs: [],
  getTransaction: null,
  isBlockhashValid: { context: { slot: 1_000 }, value: true },
  getSignaturesForAddress: [],
}
const ok: Answer = ({ id, method, params }) => ({
  jsonrpc: '2.0',
  id,
  result: method === 'eth_getBlockByNumber' ? block(params[0]) : SOUND[method],
})
const exceptFor =
  (broken: string, reply: (request: Request) => unknown): Answer =>
  (request) =>
    request.method === broken ? reply(request) : ok(request)
const result =
  (value: unknown) =>
  ({ id }: Request) => ({ jsonrpc: '2.0', id, result: value })

const BROKEN: [string, (request: Request) => unknown][] = [
  ['an error', ({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32000, message: 'header not found' } })],
  ['no result', ({ id }) => ({ jsonrpc: '2.0', id })],
  ['another id', () => ({ jsonrpc: '2.0', id: -1, result: word(0) })],
  ['an empty object', () => ({})],
  ['null', () => null],
  ['no JSON', () => '<html>'],
  ['503', () => 'down'],
  ['cut off', () => '{"jsonrpc":"2.0","id'],
  [SILENCE, () => undefined],
  ['a result of the wrong kind', result(true)],
  ['an empty result', result('0x')],
]
const evmReferee = (timeoutMs = PATIENT_MS) =>
  createEvmReferee({ rpc: createJsonRpc({ rpcUrl, timeoutMs }), confirmations: () => 2 })
const svmReferee = (timeoutMs = PATIENT_MS) =>
  createSvmReferee({ rpc: createJsonRpc({ rpcUrl, timeoutMs }), finalizedFrom: undefined })
const HINT = `0x${'ab'.repeat(32)}`
const SIGNATURE = '1'.repeat(64)

describe('a node that does not answer has not said "unused"', () => {
  test('the sound node is understood', async () => {
    answer = ok
    expect(await evmReferee().outcome(evm, HINT)).toEqual({ kind: 'dead' })
    expect(await svmReferee().outcome(svm, SIGNATURE)).toEqual({ kind: 'open' })
  })

  const evmCalls = ['eth_getBlockByNumber', 'eth_call', 'eth_getTransactionReceipt', 'eth_blockNumber']
  const svmCalls = ['isBlockhashValid', 'getSignaturesForAddress', 'getTransaction']
  const cases = BROKEN.flatMap(([name, reply]) => [
    // Without a receipt the height is not read, so it may be anything.
    ...evmCalls.map((method) => [method, name, reply] as const),
    ...svmCalls.map((method) => [method, name, reply] as const),
  ])
    .filter(([method, name]) => method !== 'eth_blockNumber' || !/^(a result|an empty result)/.test(name))
    // It refuses to look up what a facilitator named, which may be anything: then the payment is searched for.
    .filter(([method, name]) => method !== 'getTransaction' || name !== 'an error')
  test.each(cases)('%s: %s', async (method, name, reply) => {
    answer = exceptFor(method, reply)
    const isSvm = svmCalls.includes(method)
    const timeoutMs = timeoutFor(name)
    const outcome = isSvm
      ? svmReferee(timeoutMs).outcome(svm, SIGNATURE)
      : evmReferee(timeoutMs).outcome(evm, HINT)
    await expect(outcome).rejects.toThrow()
  })

  test.each([
    ['that it refuses to look up', SIGNATURE],
    ['that is no signature', SIGNATURE.slice(1)],
  ])('a hint %s says nothing, and the payment is searched for', async (_, hint) => {
    const refusal = ({ id }: Request) => ({
      id,
      error: { code: -32602, message: 'Invalid param: WrongSize' },
    })
    answer = exceptFor('getTransaction', refusal)
    expect(await svmReferee().outcome(svm, hint)).toEqual({ kind: 'open' })
  })

  test.each(BROKEN)('used, and the logs are %s', async (name, reply) => {
    answer = (request) =>
      request.method === 'eth_call' ? result(word(1))(request) : exceptFor('eth_getLogs', reply)(request)
    await expect(evmReferee(timeoutFor(name)).outcome(evm, undefined)).rejects.toThrow()
  })

  test('used, and every block is the same one', async () => {
    const same = { number: HEAD, timestamp: '0x7fffffff' }
    answer = (request) =>
      request.method === 'eth_call'
        ? result(word(1))(request)
        : exceptFor('eth_getBlockByNumber', result(same))(request)
    await expect(evmReferee().outcome(evm, undefined)).rejects.toThrow('another block')
  })

  test('used, and no log to be found', async () => {
    answer = exceptFor('eth_call', result(word(1)))
    await expect(evmReferee().outcome(evm, undefined)).rejects.toThrow('no logs of that time')
  })

  test('nobody listens, or the network has no node', async () => {
    const nobody = createJsonRpc({ rpcUrl: 'http://127.0.0.1:1', timeoutMs: PATIENT_MS })
    const gone = createEvmReferee({ rpc: nobody, confirmations: () => 1 })
    await expect(gone.outcome(evm, undefined)).rejects.toThrow()
    const none = createChain({ evm: undefined, svm: undefined })
    await expect(none.outcome(svm, undefined)).rejects.toThrow('no node')
    await expect(none.ready(svm.network, 0)).rejects.toThrow('no node')
  })

  test('a listed transaction that cannot be had is not "not found"', async () => {
    answer = exceptFor('getSignaturesForAddress', result([{ signature: SIGNATURE, slot: 990, err: null }]))
    await expect(svmReferee().outcome(svm, undefined)).rejects.toThrow('does not return')
  })

  test('an endless list is not searched for ever', async () => {
    const many = Array.from({ length: 1_000 }, () => ({ signature: SIGNATURE, slot: 990, err: 'x' }))
    answer = exceptFor('getSignaturesForAddress', result(many))
    await expect(svmReferee().outcome(svm, undefined)).rejects.toThrow('goes on')
  })

  test('an endless reply is cut off', async () => {
    answer = () => ' '.repeat(9 * 1024 * 1024)
    const rpc = createJsonRpc({ rpcUrl, timeoutMs: 5_000 })
    await expect(rpc.call('eth_call', [])).rejects.toThrow('too large')
  })
})

describe('wallet signatures', () => {
  const claim = {
    wallet: `0x${'77'.repeat(20)}`,
    hash: `0x${'12'.repeat(32)}`,
    signature: `0x${'34'.repeat(65)}`,
  } as const
  const wallets = (timeoutMs = PATIENT_MS) =>
    createSmartWalletSignatures({
      rpc: createJsonRpc({ rpcUrl, timeoutMs }),
      clock: systemClock,
      counters: createRateCounters({ clock: systemClock }),
    })

  test.each(BROKEN)('a node that answers %s is unavailable, not a refusal', async (name, reply) => {
    const isAnswer = name === 'an empty result'
    answer = isAnswer ? result('0x') : reply
    const held = wallets(timeoutFor(name)).holds(claim)
    if (isAnswer) expect(await held).toBe(false)
    else await expect(held).rejects.toMatchObject({ code: 'payments_unavailable' })
  })
})
