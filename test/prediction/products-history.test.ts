import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Activity } from '../../src/upstreams/polymarket/account-activity.ts'
import { UpstreamError } from '../../src/upstreams/upstream.ts'
import { NOW_MS, openPredmkt, type Predmkt, START_S } from './predmkt-world.ts'

let world: Predmkt
beforeAll(async () => {
  world = await openPredmkt()
})
afterAll(() => world.close())
beforeEach(() => world.reset())

const PATH = '/api/predmkt/history'

function bought(windowStartS: number, more: Partial<Activity> = {}): Activity {
  const slug = `btc-updown-5m-${windowStartS}`
  return {
    kind: 'TRADE',
    type: 'TRADE',
    wallet: '0xab',
    conditionId: `0x${windowStartS}`,
    tokenId: '1',
    side: 'BUY',
    outcome: 'Up',
    title: 'Bitcoin Up or Down',
    slug,
    eventSlug: slug,
    shares: 5,
    usd: 2.5875,
    price: 0.5,
    transactionHash: '0xt',
    atMs: windowStartS * 1000,
    ...more,
  }
}
function hold(rows: readonly Activity[], cutMs?: number) {
  const read = { value: { rows, cutMs }, asOfMs: NOW_MS }
  world.services.account = {
    activity: async () => read,
    positions: () => undefined,
  }
}

test('without an account, and without trades, the list is empty and says why', async () => {
  expect(await world.ask(PATH)).toMatchObject({
    status: 200,
    json: { count: 0, total: 0, markets: [], note: 'no trading account is configured' },
  })
  hold([])
  expect((await world.ask(PATH)).json).toMatchObject({
    markets: [],
    note: 'the account has not traded five-minute markets',
  })
})

test('trades are grouped by market, newest window first, with result and profit', async () => {
  const [won, lost] = [START_S - 300, START_S - 600]
  const redeemed = { kind: 'REDEEM', type: 'REDEEM', side: undefined, price: undefined, usd: 5 } as const
  hold([bought(lost), bought(lost), bought(won), bought(won, redeemed), bought(START_S)])
  const { json } = await world.ask(PATH)
  expect(json).toMatchObject({ count: 3, total: 3, timestamp: new Date(NOW_MS).toISOString() })
  expect(json).not.toHaveProperty('note')
  const [open, win, loss] = json.markets
  // What the bot holds in the open window is sold: neither the side nor an amount is told.
  expect(open).toEqual({
    ...Object.fromEntries(Object.keys(win).map((key) => [key, null])),
    slug: `btc-updown-5m-${START_S}`,
    title: 'Bitcoin Up or Down',
    coin: 'BTC',
    condition_id: `0x${START_S}`,
    window_start: START_S,
    window_end: START_S + 300,
    result: 'open',
    note: expect.stringContaining('once it has closed'),
  })
  expect(win).toEqual({
    slug: `btc-updown-5m-${won}`,
    title: 'Bitcoin Up or Down',
    coin: 'BTC',
    condition_id: `0x${won}`,
    window_start: won,
    window_end: won + 300,
    result: 'win',
    cost_usd: 2.5875,
    collected_usd: 5,
    split_usd: 0,
    merged_usd: 0,
    profit_usd: 2.4125,
    fees_usd: 0.0875,
    fills: 1,
    shares_left: { up: 0, down: 0 },
    first_at: new Date(won * 1000).toISOString(),
    last_at: new Date(won * 1000).toISOString(),
  })
  // Equal rows of one transaction are fills of their own.
  expect(loss).toMatchObject({ result: 'loss', fills: 2, cost_usd: 5.175, profit_usd: -5.175 })
})

test('of an account that did more than is kept only windows are shown whose rows are all there', async () => {
  const dayMs = 25 * 3_600_000
  const [last, whole] = [START_S - 600, START_S - 300]
  hold([bought(START_S), bought(whole), bought(last)], last * 1000 - dayMs)
  expect((await world.ask(PATH)).json).toMatchObject({
    total: 2,
    truncated: true,
    note: `the account did more than is kept: windows that opened up to ${new Date(last * 1000).toISOString()} are left out`,
    markets: [{ window_start: START_S }, { window_start: whole }],
  })
  hold([], Number.POSITIVE_INFINITY)
  expect((await world.ask(PATH)).json).toMatchObject({
    total: 0,
    note: expect.stringContaining('all are left out'),
  })
  hold([bought(last)])
  expect((await world.ask(PATH)).json).toMatchObject({ total: 1, truncated: false })
})

test('a window is open until it had ended when the rows were read', async () => {
  const rows = [bought(START_S)]
  const endMs = (START_S + 300) * 1000
  const resultOf = async (asOfMs: number) => {
    const read = { value: { rows, cutMs: undefined }, asOfMs }
    world.services.account = { activity: async () => read, positions: () => undefined }
    return (await world.ask(PATH)).json.markets[0].result
  }
  world.clock.advance(endMs + 60_000 - world.clock.now())
  // A minute after the end: rows of before it cannot say whether it was won.
  expect(await resultOf(endMs - 1)).toBe('open')
  expect(await resultOf(endMs)).toBe('loss')
})

test('limit at its bounds and beyond', async () => {
  const nowMs = world.clock.now()
  const rows = Array.from({ length: 130 }, (_, at) => bought(START_S - 300 * at))
  world.services.account = {
    activity: async () => ({ value: { rows, cutMs: undefined }, asOfMs: nowMs }),
    positions: () => undefined,
  }
  for (const [query, count] of [
    ['', 30],
    ['?limit=1', 1],
    ['?limit=100', 100],
    ['?other=1', 30],
  ] as const)
    expect((await world.ask(`${PATH}${query}`)).json).toMatchObject({
      count,
      total: 130,
      markets: { length: count },
    })
  for (const query of ['limit=0', 'limit=101', 'limit=-1', 'limit=1.5', 'limit=', 'limit=1&limit=1'])
    expect([query, (await world.ask(`${PATH}?${query}`)).status]).toEqual([query, 422])
})

test('an account that cannot be read is 503, and nothing of the failure is shown', async () => {
  const positions = () => undefined
  const failing = [
    () => Promise.reject(new UpstreamError('down', 'at https://secret.example')),
    async () => ({ value: { rows: [], cutMs: undefined }, asOfMs: world.clock.now() - 300_001 }),
  ]
  for (const activity of failing) {
    world.services.account = { activity, positions }
    const { status, json } = await world.ask(PATH)
    expect([status, json.code, json.detail]).toEqual([
      503,
      'upstream_unavailable',
      'the account cannot be read right now',
    ])
  }
  world.services.account = {
    activity: async () => ({ value: { rows: [], cutMs: undefined }, asOfMs: world.clock.now() - 300_000 }),
    positions,
  }
  expect((await world.ask(PATH)).status).toBe(200)
})
