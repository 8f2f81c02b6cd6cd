import { describe, expect, it } from 'vitest'
import { searchSize } from '../../testing/search-size.ts'
import { type Parser, readText, searchMutations } from '../../testing/upstreams/mutation-search.ts'
import { createScriptedUpstream } from '../../testing/upstreams/scripted-upstream.ts'
import { UpstreamError } from '../upstream.ts'
import { parseWire } from '../wire/reply.ts'
import { createScoutHistory } from './history.ts'
import { ApprovalsReply, FirstTransactionReply, HoldingsPage, MAX_LOGS } from './history-wire.ts'

const OWNER = `0x${'ab'.repeat(20)}`
const SPENDER = `0x${'cd'.repeat(20)}`
const TOKEN = `0x${'Ef'.repeat(20)}`
const topic = (address: string) => `0x${'0'.repeat(24)}${address.slice(2)}`
const APPROVAL = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
const log = (over: Record<string, unknown> = {}) => ({
  address: TOKEN,
  blockNumber: '0x2faf080',
  data: `0x${'f'.repeat(64)}`,
  logIndex: '0x1',
  timeStamp: '0x67000000',
  topics: [APPROVAL, topic(OWNER), topic(SPENDER), null],
  transactionHash: `0x${'12'.repeat(32)}`,
  ...over,
})
const reply = (result: unknown) => ({ message: 'OK', result, status: '1' })
const read = (json: unknown) => createScoutHistory(createScriptedUpstream(() => json))

describe('approvals', () => {
  it('are asked for by owner, from the first block on', async () => {
    const upstream = createScriptedUpstream(() => reply([log()]))
    const found = await createScoutHistory(upstream).approvals(OWNER.toUpperCase().replace('0X', '0x'))
    expect(upstream.asked).toEqual([
      {
        path: '/api',
        query: {
          module: 'logs',
          action: 'getLogs',
          fromBlock: 0,
          toBlock: 'latest',
          topic0: APPROVAL,
          topic1: topic(OWNER),
          topic0_1_opr: 'and',
        },
      },
    ])
    expect(found).toEqual({
      rows: [
        {
          token: TOKEN.toLowerCase(),
          owner: OWNER,
          spender: SPENDER,
          amount: 2n ** 256n - 1n,
          atMs: 0x67000000 * 1_000,
          block: 50_000_000,
        },
      ],
      isComplete: true,
    })
  })
  it('of NFTs and of others are left out, and cost nothing', async () => {
    const nft = log({ topics: [APPROVAL, topic(OWNER), topic(SPENDER), topic(TOKEN)], data: '0x' })
    const others = log({ topics: [APPROVAL, topic(SPENDER), topic(OWNER), null] })
    expect(await read(reply([nft, nft, nft, others])).approvals(OWNER)).toEqual({
      rows: [],
      isComplete: true,
    })
  })
  it('none is no failure, a failure is none of that', async () => {
    const none = { message: 'No logs found', result: [], status: '0' }
    expect(await read(none).approvals(OWNER)).toEqual({ rows: [], isComplete: true })
    const failed = { message: 'Query timed out. Please try again later', status: '0' }
    for (const result of [null, [], [log()]])
      await expect(read({ ...failed, result }).approvals(OWNER)).rejects.toBeInstanceOf(UpstreamError)
    await expect(read({ result: [] }).approvals(OWNER)).rejects.toBeInstanceOf(UpstreamError)
    await expect(read(reply([log({ data: '0x' }), log({ data: '0x12' })])).approvals(OWNER)).rejects.toThrow()
  })
  it('say that there may be more', async () => {
    const full = reply(Array.from({ length: MAX_LOGS }, () => log()))
    expect((await read(full).approvals(OWNER)).isComplete).toBe(false)
  })
  it('of an odd time are still approvals', async () => {
    const { rows } = await read(reply([log({ timeStamp: 'soon' }), log({ timeStamp: '' })])).approvals(OWNER)
    expect(rows.map(({ atMs }) => atMs)).toEqual([undefined, undefined])
  })
})

it('the first transaction, and that there is none', async () => {
  expect(await read(reply([{ timeStamp: '1697040000' }])).firstTransactionMs(OWNER)).toBe(1_697_040_000_000)
  const none = { message: 'No transactions found', result: [], status: '0' }
  expect(await read(none).firstTransactionMs(OWNER)).toBeUndefined()
})

const page = {
  items: [
    {
      token: {
        address_hash: TOKEN,
        name: 'Coffee',
        symbol: 'CUP',
        decimals: '18',
        type: 'ERC-20',
        exchange_rate: '1.5',
      },
      value: '12000000000000000000',
    },
  ],
  next_page_params: { fiat_value: null, id: 7, items_count: 50, value: '12' },
}

it('holdings come in pages, each with what asks for the next', async () => {
  const upstream = createScriptedUpstream(({ query }) =>
    query && 'id' in query ? { ...page, next_page_params: null } : page,
  )
  const { holdingsPage } = createScoutHistory(upstream)
  const first = await holdingsPage(OWNER)
  expect(first).toMatchObject({ hasMore: true, next: { id: 7, items_count: 50, value: '12' } })
  expect(await holdingsPage(OWNER, first?.next)).toMatchObject({ hasMore: false, next: undefined })
  expect(upstream.asked[1]?.query).toMatchObject({ type: 'ERC-20', id: 7, items_count: 50, value: '12' })
  expect(await read(undefined).holdingsPage(OWNER)).toBeUndefined()
  const odd = await read({ ...page, next_page_params: { id: { deep: 1 } } }).holdingsPage(OWNER)
  expect(odd).toMatchObject({ hasMore: true, next: undefined })
})

const TRIES = searchSize('payload-mutations')
const parser =
  (schema: Parameters<typeof parseWire>[0]): Parser =>
  (json) =>
    parseWire(schema, json, 'reply')
const OPTIONAL = new Set(
  `atMs next hasMore decimals totalSupply holders priceUsd marketCapUsd volume24hUsd fiat_value id items_count value`.split(
    ' ',
  ),
)

it.each([
  ['approvals', reply([log(), log(), log()]), ApprovalsReply],
  ['first transaction', reply([{ timeStamp: '1697040000' }]), FirstTransactionReply],
  ['holdings', page, HoldingsPage],
] as const)('%s with something wrong in them are read soundly or refused', (file, json, schema) => {
  const parse = parser(schema)
  expect(readText(JSON.stringify(json), parse)).toBeDefined()
  const { read: good, refused } = searchMutations({ file, json, parse, optional: OPTIONAL })
  expect(good).toBeGreaterThan(TRIES / 50)
  expect(refused).toBeGreaterThan(TRIES / 50)
})
