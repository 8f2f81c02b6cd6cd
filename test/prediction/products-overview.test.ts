import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { COINS } from '../../src/core/coin.ts'
import { windowAt } from '../../src/core/time/window.ts'
import { heldPosition, windowMarketAt } from '../../src/testing/products/hand-made-prediction.ts'
import { signalAt, signalsOf } from '../../src/testing/products/hand-made-signals.ts'
import { openPredmkt, type Predmkt } from './predmkt-world.ts'

let world: Predmkt
beforeAll(async () => {
  world = await openPredmkt()
})
afterAll(() => world.close())
beforeEach(() => world.reset())

describe('GET /predmkt', () => {
  test('ranks what costs less than it is worth, and says what it has looked at', async () => {
    const { clock, services } = world
    const [ethP, btcP] = [0.7, 0.6]
    services.signals = signalsOf((coin) =>
      signalAt(coin, clock.now(), coin === 'ETH' ? ethP : coin === 'SOL' ? 0.2 : coin === 'BTC' ? btcP : 0.5),
    )
    const { status, json } = await world.ask('/predmkt')
    expect(status).toBe(200)
    expect(
      json.opportunities.map(({ coin, side, edge }: Record<string, unknown>) => [coin, side, edge]),
    ).toEqual([
      ['SOL', 'DOWN', 0.272507],
      ['ETH', 'UP', 0.1825],
      ['BTC', 'UP', 0.0825],
    ])
    expect(json.opportunities[1]).toMatchObject({
      size_shares: 100,
      cost_usd: 51.75,
      expected_value_usd: 18.25,
    })
    expect(json.coverage).toMatchObject({
      listed_markets: 4,
      coins: COINS.map((coin) => ({ coin, covered: true })),
    })
    expect(json).toMatchObject({
      positions: [],
      positions_as_of: null,
      positions_note: 'no trading account is configured',
    })
    expect(json).not.toHaveProperty('opportunities_note')
  })

  test('an empty list says why, and a coin that is missing is named', async () => {
    const { clock, services } = world
    services.signals = signalsOf((coin) => (coin === 'XRP' ? undefined : signalAt(coin, clock.now(), 0.5)))
    services.list = { last: () => undefined, nextMs: () => 0, missing: () => '' }
    const { json } = await world.ask('/predmkt')
    expect(json).toMatchObject({
      opportunities: [],
      opportunities_note: 'no side costs less than it is worth to us',
    })
    expect(json.coverage).toMatchObject({ listed_markets: null, listed_as_of: null })
    expect(json.coverage.coins[3]).toEqual({
      coin: 'XRP',
      covered: false,
      book_age_ms: null,
      probability_age_ms: null,
      reason: 'no XRP probability: made up',
    })
  })

  test('where nothing can be priced the note says why, and so does a single coin without an edge', async () => {
    const shut = (of: readonly string[]) => {
      world.services.fiveMinute = {
        open: (coin) =>
          windowMarketAt(coin, world.clock.now(), { market: { acceptingOrders: !of.includes(coin) } }),
        missing: () => '',
        market: () => undefined,
      }
    }
    shut(COINS)
    expect((await world.ask('/predmkt')).json).toMatchObject({
      opportunities: [],
      opportunities_note: expect.stringMatching(
        /^nothing can be priced now \(BTC: the venue takes no orders; ETH: /,
      ),
    })
    world.services.signals = signalsOf((coin) => signalAt(coin, world.clock.now(), 0.5))
    shut(['ETH'])
    expect((await world.ask('/predmkt')).json.opportunities_note).toMatch(/^of what can be priced, .+ETH: /)
    const { coverage } = (await world.ask('/predmkt')).json
    expect(coverage.coins[1]).toMatchObject({ covered: true, reason: 'the venue takes no orders' })
    expect(coverage.coins[0]).not.toHaveProperty('reason')
  })

  test('without any coin it is 503 and free', async () => {
    world.services.fiveMinute = { open: () => undefined, missing: () => 'lost', market: () => undefined }
    const gone = await world.ask('/predmkt')
    expect([gone.status, gone.json.code]).toEqual([503, 'upstream_unavailable'])
    world.services.fiveMinute = {
      open: (coin) => ({ ...windowMarketAt(coin, world.clock.now()), asOfMs: world.clock.now() - 10_001 }),
      missing: () => '',
      market: () => undefined,
    }
    expect((await world.ask('/predmkt')).json.code).toBe('stale_data')
    world.reset()
    expect((await world.ask('/predmkt')).status).toBe(200)
    expect((await world.ask('/predmkt?coins=btc')).status).toBe(422)
  })

  test.each(['/predmkt', '/prediction-markets'])(
    'a reply of %s is shared until something in it changes',
    async (path) => {
      const { clock, services } = world
      clock.advance(1_000 - (clock.now() % 1_000))
      const signal = signalAt('BTC', clock.now())
      const book = windowMarketAt('BTC', clock.now())
      const listed = services.list.last()
      let [positions, made] = [{ value: [heldPosition()], asOfMs: clock.now() }, 0]
      services.signals = signalsOf(() => signal)
      services.fiveMinute = { ...services.fiveMinute, open: () => book }
      services.list = { last: () => listed, nextMs: () => 0, missing: () => '' }
      services.sourceOf = (source) => {
        made++
        return source
      }
      services.account = { activity: () => new Promise<never>(() => {}), positions: () => positions }
      const madeAfter = async () => {
        expect((await world.ask(path)).json.positions).toHaveLength(positions.value.length)
        return made
      }
      expect([await madeAfter(), await madeAfter()]).toEqual([1, 1])
      positions = { value: [], asOfMs: clock.now() }
      expect([await madeAfter(), await madeAfter()]).toEqual([2, 2])
      clock.advance(1_000)
      expect([await madeAfter(), await madeAfter()]).toEqual([3, 3])
    },
  )

  test('what the account holds is shown, and what cannot be read is said', async () => {
    const { clock, services } = world
    const held = (ageMs: number) => ({
      activity: async () => ({ value: { rows: [], cutMs: undefined }, asOfMs: 0 }),
      positions: () => ({
        value: [
          heldPosition({ endsAtMs: Date.UTC(2026, 0, 5) }),
          heldPosition({ shares: 0 }),
          heldPosition({ shares: Number.NaN, title: 'x' }),
        ],
        asOfMs: clock.now() - ageMs,
      }),
    })
    services.account = held(300_000)
    expect((await world.ask('/predmkt')).json).toMatchObject({
      positions: [{ outcome: 'Up', shares: 5, cost_usd: 2.5, fees_usd: null, ends_on: '2026-01-05' }],
    })
    services.account = held(300_001)
    expect((await world.ask('/predmkt')).json).toMatchObject({ positions: [], positions_as_of: null })
    services.account = { ...held(0), positions: () => undefined }
    const { json } = await world.ask('/predmkt')
    expect(json.positions_note).toBe('the account could not be read yet')
    services.account = { ...held(0), positions: () => ({ value: [], asOfMs: clock.now() }) }
    expect((await world.ask('/predmkt')).json.positions_note).toBe('the account holds nothing that is shown')
  })

  test('what the account holds in the open window is told once it has closed', async () => {
    const { clock, services } = world
    const { startS, endS } = windowAt(clock.now())
    const value = [heldPosition({ slug: `btc-updown-5m-${startS}` }), heldPosition({ slug: 'who-wins' })]
    services.account = {
      activity: async () => ({ value: { rows: [], cutMs: undefined }, asOfMs: 0 }),
      positions: () => ({ value, asOfMs: endS * 1000 - 10_000 }),
    }
    const slugs = async (path: string) =>
      (await world.ask(path)).json.positions.map(({ slug }: { slug: string }) => slug)
    for (const path of ['/predmkt', '/prediction-markets']) expect(await slugs(path)).toEqual(['who-wins'])
    clock.advanceTo(endS * 1000)
    for (const path of ['/predmkt', '/prediction-markets']) expect(await slugs(path)).toHaveLength(2)
  })
})
