import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import {
  connectRecording,
  heardOne,
  type RecordingClient,
} from '../../../testing/sandbox/recording-client.ts'
import { type Internet, startInternet } from '../../internet.ts'
import { createSimulatedMarket, type SimulatedMarket } from '../../market/simulated-market.ts'

const START_MS = Date.UTC(2026, 4, 6, 1)
let market: SimulatedMarket
let internet: Internet

beforeAll(async () => {
  market = createSimulatedMarket({ seed: 'coinbase', startMs: START_MS })
  internet = await startInternet({ market, clock: createManualClock(START_MS) })
})
afterAll(() => internet.close())

async function get(path: string) {
  const response = await fetch(`${internet.urls.COINBASE}${path}`)
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
}
const advance = (ms: number) => internet.advanceTo(market.nowMs() + ms)

async function subscribed(
  channels: readonly unknown[],
  extra: Record<string, unknown> = {},
): Promise<RecordingClient> {
  const client = await connectRecording(internet.urls.COINBASE_WS)
  client.send({ type: 'subscribe', product_ids: ['BTC-USD'], channels, ...extra })
  await heardOne(client, ({ type }) => type === 'subscriptions' || type === 'error')
  return client
}

describe("Coinbase's REST addresses", () => {
  it('list products and currencies', async () => {
    expect((await get('/products')).body.map(({ id }: { id: string }) => id)).toEqual([
      'BTC-USD',
      'ETH-USD',
      'SOL-USD',
      'XRP-USD',
    ])
    expect((await get('/products/XRP-USD')).body).toMatchObject({
      quote_increment: '0.0001',
      status: 'online',
    })
    expect((await get('/currencies')).body.length).toBe(5)
    expect((await get('/time')).body.epoch).toBe(market.nowMs() / 1000)
  })

  it('answer 404 to everything else', async () => {
    for (const path of ['/products/NOPE-USD', '/products/BTC-USD/nope', '/nope', '/products/BTC-USD/book/x'])
      expect(await get(path)).toMatchObject({ status: 404, body: { message: 'NotFound' } })
    expect((await get('/products/BTC-USD/book?level=3')).status).toBe(400)
    expect((await get('/products/BTC-USD/candles?granularity=7')).body.message).toBe(
      'Unsupported granularity',
    )
  })

  it('page trades newest first, without loss or repetition', async () => {
    await advance(60_000)
    const page = async (query: string) => {
      const { body, headers } = await get(`/products/BTC-USD/trades?${query}`)
      const ids: number[] = body.map((trade: { trade_id: number }) => trade.trade_id)
      return { ids, before: headers.get('cb-before'), after: headers.get('cb-after') }
    }
    const newest = await page('limit=10')
    const older = await page(`limit=10&after=${newest.after}`)
    const own = market
      .trades('coinbase', 'BTC')
      .last(20)
      .map(({ id }) => id)
      .reverse()
    expect([...newest.ids, ...older.ids]).toEqual(own)
    expect((await page(`before=${newest.before}`)).ids).toEqual([])
    const gap = await page(`before=${own[15]}&after=${own[5]}`)
    expect(gap.ids).toEqual(own.slice(6, 15))
  })

  it('show the book at two depths', async () => {
    const { bids, asks } = (await get('/products/BTC-USD/book?level=2')).body
    expect([bids.length, asks.length]).toEqual([30, 30])
    expect(Number(bids[0][0])).toBeLessThan(Number(asks[0][0]))
    expect((await get('/products/BTC-USD/book?level=1')).body.bids).toEqual([bids[0]])
  })

  it('list candles newest first and refuse more than 300', async () => {
    const { body } = await get('/products/SOL-USD/candles?granularity=60')
    expect(body.length).toBe(300)
    expect(body[0][0] - body[1][0]).toBe(60)
    const from = new Date(START_MS - 6 * 3600_000).toISOString()
    const wide = await get(`/products/SOL-USD/candles?granularity=60&start=${from}`)
    expect(wide.status).toBe(400)
    expect(
      (await get(`/products/SOL-USD/candles?granularity=300&start=${from}`)).body.length,
    ).toBeGreaterThan(70)
  })

  it('give ticker and stats', async () => {
    expect(Number((await get('/products/ETH-USD/ticker')).body.price)).toBeGreaterThan(0)
    expect(Number((await get('/products/ETH-USD/stats')).body.volume)).toBeGreaterThan(0)
  })
})

describe("Coinbase's channels", () => {
  it("send the last match first, then matches with the maker's side", async () => {
    const client = await subscribed(['matches'])
    await advance(30_000)
    const [, last, ...matches] = client.heard
    expect(last?.type).toBe('last_match')
    expect(matches.length).toBeGreaterThan(20)
    for (const [i, match] of matches.entries()) {
      expect(match).toMatchObject({ type: 'match', trade_id: Number(last?.trade_id) + 1 + i })
      const own = market.trades('coinbase', 'BTC').fromId(Number(match.trade_id), 1)[0]
      expect(match.side).toBe(own?.side === 'buy' ? 'sell' : 'buy')
      if (i > 0) expect(Number(match.sequence)).toBeGreaterThan(Number(matches[i - 1]?.sequence))
    }
    client.close()
  })

  it('send the whole book and then its changes', async () => {
    const client = await subscribed([{ name: 'level2_batch', product_ids: ['XRP-USD'] }])
    await advance(10_000)
    const kinds = client.heard.map(({ type, product_id }) => `${type} ${product_id ?? ''}`)
    expect(kinds.slice(0, 3)).toEqual(['subscriptions ', 'snapshot XRP-USD', 'l2update XRP-USD'])
    expect(kinds.length).toBeGreaterThan(90)
    client.close()
  })

  it('refuse level2 without a signature, as the venue does', async () => {
    const refused = await subscribed(['level2'])
    expect(refused.heard).toMatchObject([{ type: 'error', message: 'Failed to subscribe' }])
    expect(String(refused.heard[0]?.reason)).toContain('require authentication')
    const signed = await subscribed(['level2'], { signature: 's', key: 'k', passphrase: 'p', timestamp: 1 })
    expect((await heardOne(signed, ({ type }) => type === 'snapshot')).product_id).toBe('BTC-USD')
    refused.close()
    signed.close()
  })

  it('send tickers and heartbeats, and stop on unsubscribe', async () => {
    const client = await subscribed(['ticker', 'heartbeat'])
    await advance(10_000)
    expect(client.heard.filter(({ type }) => type === 'heartbeat').length).toBe(10)
    expect(client.heard.filter(({ type }) => type === 'ticker').length).toBeGreaterThan(5)
    const before = client.heard.length
    client.send({ type: 'unsubscribe', product_ids: ['BTC-USD'], channels: ['ticker', 'heartbeat'] })
    await heardOne(client, (message) => client.heard.indexOf(message) >= before)
    await advance(5_000)
    expect(client.heard.slice(before)).toEqual([{ type: 'subscriptions', channels: [] }])
    client.close()
  })

  it.each([
    ['junk', 'Malformed JSON'],
    ['{"type":"nope"}', 'nope is not a valid type'],
    ['{"type":"subscribe","channels":[]}', 'Failed to subscribe'],
    ['{"type":"subscribe","channels":["nope"],"product_ids":["BTC-USD"]}', 'Failed to subscribe'],
    ['{"type":"subscribe","channels":["ticker"],"product_ids":["NO-PE"]}', 'Failed to subscribe'],
    ['{"type":"subscribe","channels":["ticker"]}', 'Failed to subscribe'],
  ])('refuse %s', async (text, message) => {
    const client = await connectRecording(internet.urls.COINBASE_WS)
    client.sendRaw(text)
    expect(await heardOne(client, ({ type }) => type === 'error')).toMatchObject({ message })
    client.close()
  })
})
