import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { COINS, type Coin } from '../../src/core/coin.ts'
import { createMarket } from '../../src/market/market.ts'
import { TOKENS, windowMarketAt } from '../../src/testing/products/hand-made-prediction.ts'
import { signalAt, signalsOf } from '../../src/testing/products/hand-made-signals.ts'
import type { FiveMinuteMarket } from '../../src/upstreams/polymarket/five-minute-market.ts'
import { NOW_MS, openPredmkt, type Predmkt, START_S } from './predmkt-world.ts'

let world: Predmkt
beforeAll(async () => {
  world = await openPredmkt()
})
afterAll(() => world.close())
beforeEach(() => {
  world.reset()
  world.clock.advance(Math.max(0, NOW_MS - world.clock.now()))
})

type Changed = Parameters<typeof windowMarketAt>[2] & {
  ageMs?: number
  listedAgeMs?: number
  atMs?: number
  version?: number
  before?: Partial<FiveMinuteMarket>
}
/** Another book of one coin, made anew at each look. */
function change(coin: Coin, { ageMs = 0, listedAgeMs = 0, atMs, version = 1, before, ...more }: Changed) {
  const { clock } = world
  world.services.fiveMinute = {
    open: (asked) => {
      const market = windowMarketAt(
        asked,
        asked === coin ? (atMs ?? clock.now()) : clock.now(),
        asked === coin ? more : {},
      )
      if (asked !== coin) return market
      const marketAsOfMs = market.marketAsOfMs - listedAgeMs
      return { ...market, version, asOfMs: market.asOfMs - ageMs, marketAsOfMs }
    },
    missing: () => 'made up',
    market: (asked, startS) =>
      asked === coin && before ? windowMarketAt(asked, startS * 1000, { market: before }).market : undefined,
  }
}
const marketOf = async (coin: string) => {
  const { status, json } = await world.ask(`/predmkt/5min?coins=${coin}`)
  expect(status).toBe(200)
  return json.markets[0]
}

describe('GET /predmkt/5min', () => {
  test('nobody pays for a market without any price, but for one with a single side', async () => {
    const none = { bids: [], asks: [] }
    change('BTC', { up: none, down: none, version: 21 })
    const { status, json } = await world.ask('/predmkt/5min?coins=btc')
    expect([status, json.detail]).toEqual([503, 'no BTC market: nobody bids or asks in it now'])
    change('BTC', { up: { bids: [[0.99, 50]], asks: [] }, down: none, version: 22 })
    expect(await marketOf('btc')).toMatchObject({ up: { bid: { price: 0.99 }, ask: null } })
  })

  test('the price to beat is the venue’s, or what the oracle said at the opening of this window', async () => {
    const market = createMarket({ clock: world.clock })
    const say = (atS: number, price: number) =>
      market.sink.oracle({ coin: 'BTC', kind: 'twap_60s', price, source: 'polybolt', atMs: atS * 1000 })
    const spot = { kind: 'spot', source: '' } as const
    const shown = async () => {
      const { price_to_beat, price_to_beat_source } = await marketOf('btc')
      return [price_to_beat, price_to_beat_source]
    }
    const asked = async (more: Changed = {}) => {
      // A new object makes a new reply.
      change('BTC', more)
      world.services.market = market
      return shown()
    }
    expect(await asked({ version: 2 })).toEqual([null, null])
    say(START_S - 1, 99)
    expect(await asked({ version: 3 })).toEqual([null, null])
    say(START_S + 1, 101)
    expect(await asked({ version: 4 })).toEqual([null, null])
    say(START_S, 100)
    expect(await asked({ version: 5 })).toEqual([100, 'oracle'])
    expect(await asked({ version: 6, market: { priceToBeat: 102 } })).toEqual([102, 'venue'])
    expect(await asked({ version: 7, market: { resolution: spot } })).toEqual([null, null])
    // A window opens where the one before closed, if both are about the same price.
    expect(await asked({ version: 8, before: { finalPrice: 103 } })).toEqual([103, 'venue'])
    expect(await asked({ version: 9, before: { finalPrice: 103, resolution: spot } })).toEqual([
      100,
      'oracle',
    ])
    expect(await asked({ version: 10, before: { finalPrice: Number.NaN } })).toEqual([100, 'oracle'])
  })

  test('the final price of the window before is shown as soon as it is known', async () => {
    const open = windowMarketAt('BTC', world.clock.now())
    const signal = signalAt('BTC', world.clock.now())
    world.services.signals = signalsOf(() => signal)
    let finalPrice: number | undefined
    world.services.fiveMinute = {
      open: () => open,
      missing: () => '',
      market: (coin, startS) => windowMarketAt(coin, startS * 1000, { market: { finalPrice } }).market,
    }
    expect((await marketOf('btc')).price_to_beat).toBeNull()
    finalPrice = 104
    expect((await marketOf('btc')).price_to_beat).toBe(104)
  })

  test('an average of our own is not called the oracle’s, and is rounded', async () => {
    const market = createMarket({ clock: world.clock })
    const derived = { coin: 'BTC', kind: 'twap_60s', source: 'coinbase_derived' } as const
    market.sink.oracle({ ...derived, price: 61_234.567_891_234_5, atMs: START_S * 1000 })
    change('BTC', { version: 20 })
    world.services.market = market
    expect(await marketOf('btc')).toMatchObject({
      price_to_beat: 61_234.567_891_2,
      price_to_beat_source: 'coinbase_derived',
      probability_source: 'coinbase_derived',
    })
  })

  test('what the venue’s list says has an age, and is not said when it is too old', async () => {
    const market = { volumeUsd: 5 }
    change('BTC', { listedAgeMs: 120_000, market, version: 30 })
    expect(await marketOf('btc')).toMatchObject({
      market_age_ms: 120_000,
      market_timestamp: new Date(world.clock.now() - 120_000).toISOString(),
      accepting_orders: true,
      volume_usd: 5,
      up: { edge: 0.0825 },
    })
    change('BTC', { listedAgeMs: 120_001, market, version: 31 })
    expect(await marketOf('btc')).toMatchObject({
      accepting_orders: null,
      volume_usd: null,
      liquidity_usd: null,
      best_side: null,
      up: { edge: null, edge_reason: 'whether the venue takes orders was not read for two minutes' },
    })
  })

  test('shows both sides, our probability of the same window and what the edge is of', async () => {
    const { status, json } = await world.ask('/predmkt/5min')
    expect([status, json.count, json.markets.map(({ coin }: { coin: string }) => coin)]).toEqual([
      200,
      4,
      [...COINS],
    ])
    const [btc] = json.markets
    expect(btc).toMatchObject({
      slug: `btc-updown-5m-${START_S}`,
      window_start: START_S,
      window_end: START_S + 300,
      seconds_remaining: 299,
      accepting_orders: true,
      tick_size: 0.01,
      min_order_size: 5,
      fee: { rate: 0.07, exponent: 1, taker_only: true },
      resolution: { kind: 'twap_60s' },
      volume_usd: null,
      liquidity_usd: 10,
      probability_up: 0.6,
      best_side: 'UP',
      record_id: null,
      record_reason: 'no record is kept here',
      book_age_ms: 0,
      probability_age_ms: 0,
    })
    expect(btc.up).toEqual({
      token_id: TOKENS.up,
      price: 0.495,
      bid: { price: 0.49, size_shares: 100 },
      ask: { price: 0.5, size_shares: 100 },
      last: 0.5,
      probability: 0.6,
      edge: 0.0825,
      buy: {
        size_shares: 100,
        average_price: 0.5,
        price_after_fees: 0.5175,
        fee_usd: 1.75,
        cost_usd: 51.75,
        expected_value_usd: 8.25,
      },
    })
    // 0.07 × 0.51 × 0.49 of each share.
    expect(btc.down).toMatchObject({ probability: 0.4, edge: -0.127493, buy: { fee_usd: 1.7493 } })
  })

  test('coins narrow, each once and in our order', async () => {
    const coinsOf = async (query: string) =>
      (await world.ask(`/predmkt/5min?coins=${query}`)).json.markets.map(({ coin }: { coin: Coin }) => coin)
    expect(await coinsOf('xrp,BTC,%20xrp')).toEqual(['BTC', 'XRP'])
  })

  test.each(['coins=doge', 'coins=', `coins=${'btc,'.repeat(16)}btc`, 'coin=btc', 'coins=btc&coins=eth'])(
    '%s is 422 and free',
    async (query) => {
      expect((await world.ask(`/predmkt/5min?${query}`)).status).toBe(422)
      await marketOf('btc')
    },
  )

  test('a best level below the smallest order is made up from the next ones, and the size says so', async () => {
    change('BTC', {
      up: {
        asks: [
          [0.5, 2],
          [0.6, 9],
        ],
      },
    })
    const { up } = await marketOf('btc')
    expect(up.buy).toMatchObject({ size_shares: 5, average_price: 0.56 })
    expect(up.ask).toEqual({ price: 0.5, size_shares: 2 })
    expect(up.price).toBeNull()
  })

  test.each<[string, Changed, string]>([
    ['nothing is for sale', { up: { bids: [[0.5, 9]] } }, 'too little is for sale'],
    ['less than the smallest order is', { up: { asks: [[0.5, 4.99]] } }, 'too little is for sale'],
    ['the venue takes no orders', { market: { acceptingOrders: false } }, 'the venue takes no orders'],
    ['the market is closed', { market: { closed: true } }, 'the venue takes no orders'],
    [
      'it resolves on something else',
      { market: { resolution: { kind: 'other', source: 'x' } } },
      'the market resolves on other, our probability is of twap_60s',
    ],
    [
      'the market is of another protocol',
      { market: { version: 'v2' } },
      'protocol v2 markets are not priced by us yet',
    ],
    [
      'the market says a lot instead of its protocol',
      { market: { version: `v\n${'9'.repeat(50)}` } },
      `protocol v ${'9'.repeat(17)}… markets are not priced by us yet`,
    ],
    [
      'the market names no protocol',
      { market: { version: 'unknown' } },
      'protocol unknown markets are not priced by us yet',
    ],
    ['shares are neg-risk', { market: { negRisk: true } }, 'neg-risk markets are not priced by us yet'],
    ['the fee cannot be', { market: { fee: { rate: 0.5, exponent: 77 } } }, 'the fee cannot be computed'],
    ['the fee is no number', { market: { fee: { rate: 7, exponent: 1 } } }, 'the fee cannot be computed'],
  ])('where %s there is no edge, and why', async (_, changed, reason) => {
    change('BTC', changed)
    expect((await marketOf('btc')).up).toMatchObject({ edge: null, buy: null, edge_reason: reason })
  })

  test('a fee of any exponent has its edge', async () => {
    change('BTC', { market: { fee: { rate: 0.07, exponent: 0.5 } }, up: { asks: [[0.5, 160]] } })
    const { up } = await marketOf('btc')
    expect(up.buy).toMatchObject({ size_shares: 160, fee_usd: 5.6, price_after_fees: 0.535 })
    expect(up.edge).not.toBeNull()
  })

  test('a probability of another price than the market resolves on makes no edge', async () => {
    world.services.signals = signalsOf((coin) => ({
      ...signalAt(coin, world.clock.now()),
      priceKind: 'spot',
    }))
    // At the opening the average comes in a moment.
    const asked = await world.ask('/predmkt/5min?coins=btc')
    expect([asked.status, asked.retryAfterS, asked.json.code]).toEqual([503, 1, 'upstream_unavailable'])
    world.clock.advance((START_S + 3) * 1000 - 1 - world.clock.now())
    expect((await world.ask('/predmkt/5min?coins=btc')).status).toBe(503)
    world.clock.advance(1)
    expect(await marketOf('btc')).toMatchObject({
      best_side: null,
      up: { edge: null, edge_reason: 'the market resolves on twap_60s, our probability is of spot' },
      down: { edge: null },
      probability_source: null,
    })
  })

  test('a title is shown on one line, and not at any length', async () => {
    change('BTC', { market: { question: `Up\u0000 or\u202e\n Down ${'\ud83d\ude00'.repeat(500)}\ud83d` } })
    const { question } = await marketOf('btc')
    expect(question.startsWith('Up or Down \u{1f600}')).toBe(true)
    expect([[...question].length, question.at(-1)]).toEqual([200, '…'])
  })
})

describe('what is too old or missing is 503, uncharged, and says what can be had', () => {
  const failure = async (path: string) => {
    const { status, json, retryAfterS } = await world.ask(path)
    expect(status).toBe(503)
    return { ...json, retryAfterS }
  }

  test('a book at its bound is sold, beyond it not', async () => {
    change('ETH', { ageMs: 10_000 })
    expect(await marketOf('eth')).toMatchObject({ book_age_ms: 10_000, probability_age_ms: 0 })
    change('ETH', { ageMs: 10_001, version: 2 })
    const stale = { code: 'stale_data', detail: 'the ETH book is 10 s old' }
    const hint = 'BTC, SOL and XRP can be asked for now, with coins; nothing was charged'
    expect(await failure('/predmkt/5min')).toMatchObject({ ...stale, hint })
    expect(await failure('/predmkt/5min?coins=eth')).toMatchObject({ ...stale, hint })
    await marketOf('btc')
  })

  test('a probability at its bound is sold, beyond it not', async () => {
    world.clock.advance(20_000)
    const aged = (ageMs: number) =>
      signalsOf((coin) => ({
        ...signalAt(coin, world.clock.now()),
        asOfMs: world.clock.now() - ageMs,
        version: ageMs,
      }))
    world.services.signals = aged(10_000)
    expect(await marketOf('eth')).toMatchObject({ book_age_ms: 0, probability_age_ms: 10_000 })
    world.services.signals = aged(10_001)
    expect(await failure('/predmkt/5min?coins=eth')).toMatchObject({
      code: 'stale_data',
      hint: 'none of the four coins can be asked for now; nothing was charged',
    })
  })

  test('max_age bounds it further', async () => {
    change('BTC', { ageMs: 3_000 })
    expect((await world.ask('/predmkt/5min?coins=btc&max_age=3')).status).toBe(200)
    expect((await failure('/predmkt/5min?coins=btc&max_age=2.999')).code).toBe('stale_data')
    expect((await world.ask('/predmkt/5min?coins=eth&max_age=0')).status).toBe(200)
  })

  test('no market, and no probability', async () => {
    const { fiveMinute } = world.services
    world.services.fiveMinute = {
      open: (coin) => (coin === 'SOL' ? undefined : fiveMinute.open(coin)),
      missing: () => 'lost',
      market: () => undefined,
    }
    expect(await failure('/predmkt/5min')).toMatchObject({
      code: 'upstream_unavailable',
      detail: 'no SOL market: lost',
      hint: 'BTC, ETH and XRP can be asked for now, with coins; nothing was charged',
    })
    world.reset()
    world.services.signals = signalsOf((coin) =>
      coin === 'SOL' ? undefined : signalAt(coin, world.clock.now()),
    )
    expect((await failure('/predmkt/5min')).detail).toBe('no SOL probability: made up')
  })

  test.each<[string, Changed]>([
    ['crossed', { up: { bids: [[0.51, 9]], asks: [[0.5, 9]] } }],
    ['locked', { down: { bids: [[0.5, 9]], asks: [[0.5, 9]] } }],
    ['of another token', { market: { tokens: { up: '9', down: TOKENS.down } } }],
  ])('a book that is %s', async (_, changed) => {
    change('XRP', changed)
    expect((await failure('/predmkt/5min?coins=xrp')).detail).toBe('no XRP market: its books cannot be right')
  })

  test('windows are never mixed: neither a market nor a signal of the last window is paired with the next', async () => {
    const { clock, services } = world
    const endMs = START_S * 1000 + 300_000 * (1 + Math.floor((clock.now() - START_S * 1000) / 300_000))
    clock.advance(endMs - 1 - clock.now())
    const [lastMs] = [clock.now()]
    expect(await marketOf('btc')).toMatchObject({ seconds_remaining: 1, window_end: endMs / 1000 })
    clock.advance(1)
    services.fiveMinute = {
      open: (coin) => windowMarketAt(coin, lastMs),
      missing: () => '',
      market: () => undefined,
    }
    const justOpened = {
      code: 'upstream_unavailable',
      retryAfterS: 1,
      detail: expect.stringContaining('just opened'),
    }
    expect(await failure('/predmkt/5min')).toMatchObject(justOpened)
    world.reset()
    services.signals = signalsOf((coin) => signalAt(coin, lastMs))
    expect(await failure('/predmkt/5min')).toMatchObject(justOpened)
    services.fiveMinute = {
      open: (coin) => windowMarketAt(coin, lastMs),
      missing: () => '',
      market: () => undefined,
    }
    expect(await failure('/predmkt/5min')).toMatchObject(justOpened)
    world.reset()
    expect(await marketOf('btc')).toMatchObject({ seconds_remaining: 300, window_start: endMs / 1000 })
  })
})

test('a reply is shared until something in it changes', async () => {
  const { clock, services } = world
  clock.advance(250 - (clock.now() % 250))
  let looks = 0
  const signal = signalAt('BTC', clock.now())
  services.signals = signalsOf(() => signal)
  const book = windowMarketAt('BTC', clock.now())
  const serve = (changed: Partial<typeof book>) => {
    services.fiveMinute = {
      open: () => {
        looks++
        return { ...book, ...changed }
      },
      missing: () => '',
      market: () => undefined,
    }
  }
  /** One look finds out whether anything has changed, another makes the reply. */
  const isMadeAnew = async () => {
    looks = 0
    await marketOf('btc')
    return looks === 2
  }
  serve({})
  expect([await isMadeAnew(), await isMadeAnew()]).toEqual([true, false])
  clock.advance(249)
  expect(await isMadeAnew()).toBe(false)
  clock.advance(1)
  expect([await isMadeAnew(), await isMadeAnew()]).toEqual([true, false])
  serve({ version: 2 })
  expect([await isMadeAnew(), await isMadeAnew()]).toEqual([true, false])
  serve({ version: 2, asOfMs: clock.now() })
  expect([await isMadeAnew(), await isMadeAnew()]).toEqual([true, false])
  const closed = { ...book.market, acceptingOrders: false }
  serve({ version: 2, asOfMs: clock.now(), market: closed })
  expect(await isMadeAnew()).toBe(true)
  expect((await marketOf('btc')).accepting_orders).toBe(false)
  expect(await isMadeAnew()).toBe(false)
  services.signals = signalsOf(() => ({ ...signal, version: 2 }))
  expect(await isMadeAnew()).toBe(true)
})
