import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { COINS, type Coin } from '../../src/core/coin.ts'
import { ServiceError } from '../../src/core/service-error.ts'
import { verdictOf } from '../../src/signals/signal.ts'
import { tradeAt } from '../../src/testing/bot/hand-made-trades.ts'
import { windowMarketAt } from '../../src/testing/products/hand-made-prediction.ts'
import { createRecordWorld } from '../../src/testing/record/record-world.ts'
import { FIRST_S, openResults, type ResultsWorld } from './results-world.ts'

let world: ResultsWorld
beforeEach(async () => {
  world = await openResults()
})
afterEach(() => world.close())

const from = (client: string) => ({ 'x-forwarded-for': client })

describe('GET /public/latest-signal', () => {
  test('is empty until a window has closed, and says so', async () => {
    const { status, json } = await world.ask('/public/latest-signal')
    expect([status, json.count, json.window_start]).toEqual([200, 0, null])
    expect(json.note).toContain('no window has been committed to and closed')
    await world.record.windows(1)
    expect((await world.ask('/public/latest-signal')).json.count).toBe(0)
  })

  test('tells the last closed window with its outcome and never the open one', async () => {
    const { record } = world
    await record.windows(3)
    const { status, json } = await world.ask('/public/latest-signal')
    const closedS = FIRST_S + 300
    expect(status).toBe(200)
    expect(json).toMatchObject({
      source: 'sandbox:record',
      delayed: true,
      window_start: closedS,
      window_end: closedS + 300,
    })
    expect(json.count).toBe(json.signals.length)
    expect(json.signals.length).toBeGreaterThan(0)
    for (const signal of json.signals) {
      const leaves = await record.keeper.reader.find(signal.record_id)
      const reveal = leaves.find(({ leaf }) => leaf.kind === 'reveal')?.leaf
      expect(signal).toMatchObject({
        window_start: closedS,
        direction: reveal?.kind === 'reveal' && reveal.prediction.direction,
        outcome: reveal?.kind === 'reveal' && reveal.outcome,
        record_path: `/record/${signal.record_id}`,
        proof_path: `/record/proof/${signal.record_id}`,
        source: 'sandbox:record',
      })
      expect(signal.hit).toBe(signal.outcome === 'unknown' ? null : signal.direction === signal.outcome)
    }
    expect(JSON.stringify(json)).not.toContain(`${FIRST_S + 600}"`)
  })

  test('carries a strong ETag that holds until the next window closes', async () => {
    await world.record.windows(2)
    const first = await world.send('/public/latest-signal')
    expect(first.headers['cache-control']).toBe('public, max-age=60')
    const etag = first.headers.etag as string
    expect(etag).toMatch(/^"[\w-]+"$/)
    const same = await world.send('/public/latest-signal', { 'if-none-match': etag })
    expect([same.status, same.body, same.headers.etag]).toEqual([304, '', etag])
    expect(same.headers.ratelimit).toMatch(/^"public-previews";r=1998;/)
    await world.record.windows(1, FIRST_S + 600)
    const next = await world.send('/public/latest-signal', { 'if-none-match': etag })
    expect([next.status, JSON.parse(next.body).window_start]).toEqual([200, FIRST_S + 300])
  })
})

test.each(['/public/latest-signal', '/free-trial', '/demo'])(
  '%s is 503 while the record is read',
  async (path) => {
    world.services.record = createRecordWorld().keeper.reader
    const { status, json } = await world.ask(path)
    expect([status, json.detail]).toEqual([503, 'the record is being read'])
  },
)

test('a coin without a prediction is not in the last window, and the trial shows its window before', async () => {
  const record = createRecordWorld({
    predict: (coin, startS) =>
      coin === 'BTC' && startS === FIRST_S + 600
        ? undefined
        : {
            ...verdictOf(0.6, 0.52),
            coin,
            windowStartS: startS,
            asOfMs: startS * 1000 - 3_000,
            regime: 'neutral',
            model: 'test',
          },
  })
  await record.keeper.start()
  await record.windows(4)
  world.services.record = record.keeper.reader
  const { json } = await world.ask('/public/latest-signal')
  const shown = json.signals.map((each: Record<string, unknown>) => [each.coin, each.window_start])
  expect(shown).toEqual(['ETH', 'SOL', 'XRP'].map((coin) => [coin, FIRST_S + 600]))
  expect((await world.ask('/free-trial')).json.signal).toMatchObject({
    coin: 'BTC',
    window_start: FIRST_S + 300,
  })
})

test('a record that could not be read once is read again', async () => {
  await world.record.windows(3)
  const reader = world.record.keeper.reader
  let reads = 0
  world.services.record = {
    ...reader,
    async page(...asked) {
      if (reads++ === 0) throw new ServiceError('store_unavailable', 'the disk is gone')
      return reader.page(...asked)
    },
  }
  expect((await world.ask('/public/latest-signal')).status).toBe(503)
  const again = await world.ask('/public/latest-signal')
  expect([again.status, again.json.count > 0]).toEqual([200, true])
  await world.ask('/demo')
  await world.ask('/free-trial')
  // Once for each head, whoever asks.
  expect(reads).toBe(2)
})

describe('GET /public/recent-trades', () => {
  test('may be kept for a minute, and 304 until there is another trade', async () => {
    await world.trade([tradeAt(FIRST_S)])
    const first = await world.send('/public/recent-trades')
    const etag = first.headers.etag as string
    expect([first.status, first.headers['cache-control']]).toEqual([200, 'public, max-age=60'])
    world.clock.advance(61_000)
    expect((await world.send('/public/recent-trades', { 'if-none-match': etag })).status).toBe(304)
    // A restart reads the same trades from the ledger.
    await world.trade([tradeAt(FIRST_S)])
    expect((await world.send('/public/recent-trades', { 'if-none-match': etag })).status).toBe(304)
    await world.trade([tradeAt(FIRST_S), tradeAt(FIRST_S + 300)])
    expect((await world.send('/public/recent-trades', { 'if-none-match': etag })).status).toBe(200)
  })
})

test('both previews together are 2000 a day for each client, then 429 until midnight UTC', async () => {
  const client = from('198.51.100.7')
  for (let n = 0; n < 2_000; n++) {
    const { status, headers } = await world.send(
      n % 2 === 0 ? '/public/latest-signal' : '/public/recent-trades',
      client,
    )
    if (status !== 200) throw new Error(`call ${n} was ${status}`)
    if (n === 0) {
      expect(headers['ratelimit-policy']).toBe('"public-previews";q=2000;w=86400')
      expect(headers.ratelimit).toMatch(/^"public-previews";r=1999;t=\d+$/)
    }
  }
  for (const path of ['/public/latest-signal', '/public/recent-trades']) {
    const { status, headers } = await world.send(path, client)
    expect([status, headers.ratelimit?.split(';t=')[0]]).toEqual([429, '"public-previews";r=0'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect((await world.send(path, from('198.51.100.8'))).status).toBe(200)
  }
  const { headers } = await world.send('/public/latest-signal', client)
  world.clock.advance(Number(headers['retry-after']) * 1000)
  expect((await world.send('/public/latest-signal', client)).status).toBe(200)
})

describe('GET /free-trial', () => {
  test('shows a BTC signal of a closed window, the price and the track record', async () => {
    const { record, clock, services } = world
    await record.windows(4)
    await world.trade([tradeAt(FIRST_S)])
    const nothing = (await world.ask('/free-trial')).json
    expect(nothing.price).toBeNull()
    clock.advance(60_000 - (clock.now() % 60_000))
    services.market = {
      ...services.market,
      price: () => ({
        price: 100_012.34,
        asOfMs: clock.now(),
        source: 'coinbase_mid',
        venues: [],
        version: 1,
      }),
    }
    const { status, headers, json } = await world.ask('/free-trial')
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=60'])
    const { called, hits } = record.keeper.reader.latest().all
    expect(json).toMatchObject({
      source: expect.stringMatching(/^sandbox:/),
      signal: { coin: 'BTC', window_end: expect.any(Number) },
      price: { token: 'BTC', price_usd: 100_012.34, source: 'sandbox:coinbase_mid' },
      track_record: {
        predictions: { called, hits, hit_rate_means_little: true },
        trades: { account: 'paper', total_trades: 1, win_rate_means_little: true, fees_usdc: 0.1 },
      },
      next: expect.stringContaining('GET /signals'),
    })
    expect(json.signal.window_end * 1000).toBeLessThanOrEqual(clock.now())
  })

  test('is made once a minute', async () => {
    const { clock } = world
    clock.advance(60_000 - (clock.now() % 60_000))
    const at = async () => (await world.ask('/free-trial')).json.timestamp
    const first = await at()
    clock.advance(59_999)
    expect(await at()).toBe(first)
    clock.advance(1)
    expect(await at()).not.toBe(first)
  })

  test('is 20 a day for each client', async () => {
    const client = from('198.51.100.9')
    for (let n = 0; n < 20; n++) expect((await world.send('/free-trial', client)).status).toBe(200)
    const over = await world.send('/free-trial', client)
    expect([over.status, JSON.parse(over.body).detail]).toEqual([
      429,
      'at most 20 calls a day from one client',
    ])
    expect(over.headers['ratelimit-policy']).toBe('"free-trial";q=20;w=86400')
    expect((await world.send('/free-trial', from('198.51.100.10'))).status).toBe(200)
    expect((await world.send('/public/latest-signal', client)).status).toBe(200)
  })
})

describe('GET /demo', () => {
  test('shows live parts, and signals of a closed window only', async () => {
    const { record, clock, services } = world
    await record.windows(3)
    services.market = {
      ...services.market,
      price: (coin) => ({
        price: coin === 'XRP' ? 2.5 : 100_012.34,
        asOfMs: clock.now(),
        source: 'coinbase_mid',
        venues: [],
        version: 1,
      }),
      ticker: (_, coin) => ({
        last: 1,
        open: 1,
        high: 1,
        low: 1,
        volume: 1_000,
        changePercent: coin === 'XRP' ? -7 : 1,
        // Of ETH less than a day is known.
        fromMs: clock.now() - (coin === 'ETH' ? 3_600_000 : 86_400_000),
        asOfMs: clock.now(),
      }),
    }
    const { status, headers, json } = await world.ask('/demo')
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=60'])
    expect(json).toMatchObject({
      welcome: 'Welcome',
      source: 'sandbox:market_record_and_polymarket',
      endpoints: [{ path: '/x', price_usdc: 0.01 }],
      how_to_pay: { step_1: 'Pay' },
      free_trial: 'Try',
      live_sample: {
        btc_price_usd: 100_012.34,
        generated_at: Math.floor(clock.now() / 1000),
        prediction_market: { example_odds: { up: 0.495, down: 0.505 } },
      },
    })
    const { signals, trending_tokens, prediction_market, note } = json.live_sample
    expect(trending_tokens).toEqual([
      { name: 'XRP', price_usd: '2.5', volume_24h: 1_000, price_change_24h: -7 },
      { name: 'BTC', price_usd: '100012.34', volume_24h: 1_000, price_change_24h: 1 },
      { name: 'SOL', price_usd: '100012.34', volume_24h: 1_000, price_change_24h: 1 },
    ])
    expect(prediction_market.active_5min_markets).toHaveLength(COINS.length)
    expect(note).toContain('last closed window')
    expect(signals.length).toBeGreaterThan(0)
    for (const signal of signals) expect(signal.window_end * 1000).toBeLessThanOrEqual(clock.now())
  })

  test('takes a market with both sides as its example', async () => {
    const { clock, services } = world
    const closing = (coin: Coin) =>
      windowMarketAt(coin, clock.now(), coin === 'BTC' ? { up: { bids: [[0.99, 5]], asks: [] } } : {})
    services.fiveMinute = { open: closing }
    const odds = (await world.ask('/demo')).json.live_sample.prediction_market.example_odds
    expect(odds).toMatchObject({ market: expect.stringMatching(/^eth-/), up: 0.495 })
    clock.advance(60_000)
    services.fiveMinute = { open: (coin) => (coin === 'BTC' ? closing(coin) : undefined) }
    const alone = (await world.ask('/demo')).json.live_sample.prediction_market.example_odds
    expect(alone).toMatchObject({ market: expect.stringMatching(/^btc-/), up: null, down: 0.505 })
  })

  test('without any of it the rest is there', async () => {
    world.services.fiveMinute = { open: () => undefined }
    expect((await world.ask('/demo')).json.live_sample).toMatchObject({
      btc_price_usd: null,
      signals: [],
      trending_tokens: [],
      prediction_market: { active_5min_markets: [], example_odds: null },
    })
  })
})
