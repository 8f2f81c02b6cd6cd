import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callTogether, createJsonRpc } from './json-rpc.ts'

type Asked = { id: number; method: string }
type Said = { status?: number; body: unknown }
let answerBatch: (asked: readonly Asked[]) => Said
let answerOne: (asked: Asked) => Said
let requests: number[] = []
const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  const asked = JSON.parse(text)
  requests.push(Array.isArray(asked) ? asked.length : 1)
  const { status = 200, body } = Array.isArray(asked) ? answerBatch(asked) : answerOne(asked)
  response.statusCode = status
  response.end(JSON.stringify(body))
})
let rpcUrl: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

const good = ({ id, method }: Asked): Said => ({ body: { id, result: `${method} is answered` } })
const ask = (...methods: string[]) =>
  callTogether(
    createJsonRpc({ rpcUrl, timeoutMs: 5_000 }),
    methods.map((method) => [method, []] as const),
  )
const askBoth = () => ask('first', 'second')
const errorOf = (code: number, message: string) => ({ error: { code, message } })
const RATE_LIMITS = [
  errorOf(-32_016, 'over rate limit'),
  errorOf(-32_005, 'daily request count exceeded, request rate limited'),
  errorOf(-32_005, "You've exceeded the RPS limit available on the current plan."),
  errorOf(-32_007, '50/second request limit reached - reduce calls per second'),
  errorOf(429, 'Your app has exceeded its compute units per second capacity.'),
  errorOf(-32_029, 'Too Many Requests'),
  errorOf(-32_005, 'Too many request, try again later'),
  errorOf(-32_000, 'daily quota exceeded'),
  errorOf(-32_000, 'monthly capacity limit exceeded'),
  errorOf(-32_000, 'Max CU per second reached'),
  errorOf(-32_005, 'limit exceeded'),
]

test.each<[string, (asked: readonly Asked[]) => Said]>([
  ['one error for all', () => ({ body: { id: null, ...errorOf(-32_600, 'no batches') } })],
  [
    'a list of one error',
    ([first]) => ({ body: [{ id: first?.id, ...errorOf(-32_600, 'batch too large') }] }),
  ],
  ['a list of one error of nobody', () => ({ body: [{ id: null, ...errorOf(-32_600, 'not allowed') }] })],
  [
    'the same error for each, of nobody',
    (asked) => ({ body: asked.map(() => ({ id: null, ...errorOf(-32_600, 'no batches') })) }),
  ],
  ['400', () => ({ status: 400, body: errorOf(-32_600, 'no batches') })],
  ['403', () => ({ status: 403, body: errorOf(-32_403, 'Batch requests are only for paid plans') })],
])('a node that refuses a batch with %s is asked one by one', async (_, refuse) => {
  requests = []
  answerBatch = refuse
  answerOne = good
  expect(await askBoth()).toEqual(['first is answered', 'second is answered'])
  expect(requests).toEqual([2, 1, 1])
})

test('a long one that is refused with 500 is asked one by one', async () => {
  requests = []
  answerBatch = () => ({ status: 500, body: { code: 31, message: 'Batch of more than 3 requests' } })
  answerOne = good
  expect(await ask('a', 'b', 'c', 'd')).toHaveLength(4)
  expect(requests).toEqual([4, 1, 1, 1, 1])
})

test('numbers that come back as text are the same', async () => {
  const inText = ({ id }: Asked): Said => ({ body: { id: String(id), result: id } })
  answerBatch = (asked) => ({ body: asked.map((one) => inText(one).body) })
  answerOne = inText
  expect(await askBoth()).toEqual([1, 2])
  expect(await createJsonRpc({ rpcUrl, timeoutMs: 5_000 }).call('first', [])).toBe(1)
})

test.each([401, 404, 429, 500, 502, 503])(
  'a node that answers a batch with %i is not asked on',
  async (status) => {
    requests = []
    answerBatch = () => ({ status, body: errorOf(-32_000, 'for some reason') })
    await expect(askBoth()).rejects.toThrow(`the chain node answered ${status}`)
    expect(requests).toEqual([2])
  },
)

test('one that is ill says so to the single calls too', async () => {
  answerBatch = () => ({ status: 403, body: 'ill' })
  answerOne = () => ({ status: 403, body: 'ill' })
  await expect(askBoth()).rejects.toThrow('the chain node answered 403')
})

test.each(RATE_LIMITS)(
  'asked too much is no refusal, of a call, a part or a whole: $error.message',
  async (limit) => {
    answerOne = ({ id }) => ({ body: { id, ...limit } })
    const rpc = createJsonRpc({ rpcUrl, timeoutMs: 5_000 })
    await expect(rpc.call('first', [])).rejects.toMatchObject({ name: 'NodeBusyError' })
    for (const body of [limit, [limit], 'a part'])
      await expect(
        (() => {
          requests = []
          answerBatch = (asked) => ({
            body:
              body === 'a part' ? asked.map(({ id }, at) => ({ id, ...(at ? limit : { result: 1 }) })) : body,
          })
          return askBoth()
        })(),
      ).rejects.toMatchObject({ name: 'NodeBusyError' })
    expect(requests).toEqual([2])
  },
)

test.each([
  errorOf(-32_005, 'query returned more than 10000 results'),
  errorOf(-32_602, 'eth_getLogs is limited to a 10 block range'),
  errorOf(-32_600, 'you can make eth_getLogs requests with up to a 10 block range'),
  errorOf(-32_005, 'Node is behind by 150 slots'),
  errorOf(-32_016, 'Minimum context slot has not been reached'),
  errorOf(-32_000, 'query exceeds max results 20000'),
  errorOf(3, 'execution reverted'),
  // Of a contract that a stranger wrote.
  errorOf(3, 'too many requests'),
  errorOf(-32_000, 'execution reverted: rate limit exceeded'),
])('a call that is refused for itself is refused: $error.message', async (refusal) => {
  answerOne = ({ id }) => ({ body: { id, ...refusal } })
  const rpc = createJsonRpc({ rpcUrl, timeoutMs: 5_000 })
  await expect(rpc.call('first', [])).rejects.toMatchObject({ name: 'JsonRpcRefusal' })
})
