import { describe, expect, onTestFinished, test } from 'vitest'
import { COINS } from '../src/core/coin.ts'
import { createBuyer } from '../src/testing/buyer.ts'
import { moneyOf } from '../src/testing/chain-money.ts'
import { createClient } from '../src/testing/client.ts'
import { replaceSignals, signalAt } from '../src/testing/products/hand-made-signals.ts'
import { useSharedWorld } from '../src/testing/shared/shared-world.ts'
import type { World } from '../src/testing/world.ts'

const KEYED = ['/signals', '/signal', '/trading-signals', '/x402/trading-signals']
const LISTED = ['/signal/btc', '/signal/btc-5min']
const PRICES: Record<string, string> = {
  ...Object.fromEntries([...KEYED, ...LISTED].map((path) => [path, '12000'])),
  '/btc/realtime-signal': '5000',
  '/market-snapshot': '10000',
}

let world: World
useSharedWorld('with many free calls', (it) => {
  world = it
})

type Shown = Record<string, unknown> & { direction: string; confidence: number; probability_up: number }
type Keyed = { timestamp: string; source: string; signals: Record<string, Shown> } & Record<string, unknown>
type Listed = { timestamp: string; count: number; signals: (Shown & { coin: string })[] }

/** Asks again in the moment between the end of a window and the first event of the next. */
async function ask<T>(path: string): Promise<T> {
  for (;;) {
    const reply = await world.get(path)
    const body = (await reply.json()) as { detail?: unknown }
    if (String(body.detail).includes('has just closed')) continue
    expect([path, reply.status, body.detail]).toEqual([path, 200, undefined])
    return body as T
  }
}

const isConsistent = ({ direction, confidence, probability_up: up }: Shown) =>
  direction === (up >= 0.5 ? 'UP' : 'DOWN') && Math.abs(confidence - Math.max(up, 1 - up)) < 1e-9

/** The first test of this file: the service has only just become ready. */
test('the first replies know every indicator of every coin', async () => {
  const { signals } = await ask<Keyed>('/signals')
  expect(Object.keys(signals)).toEqual(COINS)
  for (const { indicators, unknown_indicators } of Object.values(signals)) {
    expect(unknown_indicators).toEqual({})
    for (const value of Object.values(indicators as object)) expect(value).toEqual(expect.any(Number))
  }
})

describe('signals', () => {
  test.each(KEYED)('%s gives all four coins by name', async (path) => {
    const body = await ask<Keyed>(path)
    expect(Object.keys(body.signals)).toEqual(COINS)
    expect(body).toMatchObject({ bot_win_rate: 0, bot_resolved_trades: 0, trades_today: 0 })
    expect(body.source).toMatch(/^sandbox:/)
    const shown = Object.values(body.signals)
    expect(shown.filter((signal) => !isConsistent(signal))).toEqual([])
    for (const signal of shown) {
      expect(signal).toMatchObject({
        source: body.source,
        price_kind: expect.stringMatching(/^twap_60s$|^spot$/),
      })
      expect(Number(signal.window_end) - Number(signal.window_start)).toBe(300)
      expect(Number(signal.window_start) % 300).toBe(0)
      expect(Number(signal.seconds_remaining)).toBeLessThanOrEqual(300)
      expect(signal.indicators).toMatchObject({ rsi: expect.any(Number), macd: expect.any(Number) })
    }
    const times = shown.map(({ timestamp }) => Date.parse(String(timestamp)))
    expect(Date.parse(body.timestamp)).toBe(Math.min(...times))
  })

  test.each(LISTED)('%s gives a list of BTC alone', async (path) => {
    const body = await ask<Listed>(path)
    expect(body).toMatchObject({ count: 1, signals: [{ coin: 'BTC' }] })
    expect(isConsistent(body.signals[0] as Shown)).toBe(true)
  })

  test('coins narrows, in any case, with spaces, each once and in our order', async () => {
    const coinsOf = async (coins: string) =>
      Object.keys((await ask<Keyed>(`/signals?coins=${coins}`)).signals)
    expect(await coinsOf('btc,eth')).toEqual(['BTC', 'ETH'])
    expect(await coinsOf('XRP')).toEqual(['XRP'])
    expect(await coinsOf('Sol,%20bTc%20,sol')).toEqual(['BTC', 'SOL'])
    expect(await coinsOf('xrp%2C+sol%2Ceth%2Cbt%63')).toEqual(COINS)
  })

  test('format overrides the shape on every path', async () => {
    for (const path of KEYED) {
      const listed = await ask<Listed>(`${path}?format=list&coins=sol,eth`)
      expect([listed.count, listed.signals.map(({ coin }) => coin)]).toEqual([2, ['ETH', 'SOL']])
      expect(Object.keys((await ask<Keyed>(`${path}?format=keyed`)).signals)).toEqual(COINS)
    }
    for (const path of LISTED) {
      const keyed = await ask<Keyed>(`${path}?format=keyed`)
      expect(keyed).toMatchObject({ signals: { BTC: { direction: expect.any(String) } }, trades_today: 0 })
      expect(await ask<Listed>(`${path}?format=list`)).toMatchObject({ count: 1 })
    }
  })

  test('aliases give the same bytes', async () => {
    const nowMs = Date.now()
    onTestFinished(replaceSignals(world.app.services, (coin) => signalAt(coin, nowMs)))
    for (const paths of [KEYED, LISTED]) {
      const texts = await Promise.all(paths.map(async (path) => JSON.stringify(await ask(path))))
      const withoutClock = texts.map((text) => text.replaceAll(/"(seconds_remaining|price_usd)":[\d.]+/g, ''))
      expect(new Set(withoutClock).size).toBe(1)
    }
  })

  test.each(['btc', 'eth', 'sol', 'xrp'])(
    'the realtime signal of %s explains each indicator',
    async (coin) => {
      type Indicator = { value: unknown; warm: boolean; reason?: string; meaning: string }
      const body = await ask<Shown & { indicators: Record<string, Indicator> }>(
        `/btc/realtime-signal?coin=${coin}`,
      )
      expect(body).toMatchObject({ coin: coin.toUpperCase(), regime: expect.any(String) })
      expect(isConsistent(body)).toBe(true)
      expect(Object.keys(body.indicators)).toHaveLength(8)
      for (const { value, warm, reason, meaning } of Object.values(body.indicators)) {
        expect([warm, reason === undefined]).toEqual([value !== null, value !== null])
        expect(meaning).toMatch(warm ? /^(bullish|bearish|neutral): / : /unknown/)
      }
    },
  )

  test('the realtime signal is of BTC when no coin is named', async () => {
    expect(await ask('/btc/realtime-signal')).toMatchObject({ coin: 'BTC' })
  })

  test('the snapshot shows all four coins', async () => {
    const body = await ask<{ timestamp: string; count: number; coins: Shown[] }>('/market-snapshot')
    expect(body.coins.map(({ coin }) => coin)).toEqual(COINS)
    expect(body.coins.filter((coin) => !isConsistent(coin))).toEqual([])
    for (const coin of body.coins)
      expect(coin).toMatchObject({
        price_usd: expect.any(Number),
        momentum: expect.any(Number),
        change_24h_percent: expect.any(Number),
        volume_24h: expect.any(Number),
      })
    const times = body.coins.map(({ timestamp }) => Date.parse(String(timestamp)))
    expect(Date.parse(body.timestamp)).toBe(Math.min(...times))
  })
})

describe('what is refused', () => {
  test.each([
    ...['', ',', 'doge', 'btc,', 'btc,,eth', 'btc;eth', 'btc eth', 'btc,doge', 'null', '0', 'true', '[]'],
    ...[
      '%00',
      'btc%00',
      '%ff',
      '%C5%BFol',
      '%E2%82%BF',
      'btc%0A',
      '%22btc%22',
      '../btc',
      'btc,'.repeat(20).concat('btc'),
    ],
  ])('coins=%s is 422', async (coins) => {
    for (const path of KEYED) {
      const reply = await world.get(`${path}?coins=${coins}`)
      expect([path, reply.status]).toEqual([path, 422])
      expect(await reply.json()).toMatchObject({ detail: [{ loc: ['query', 'coins'] }] })
    }
  })

  test.each([
    '/signals?coins=btc&coins=eth',
    '/signals?format=',
    '/signals?format=xml',
    '/signals?format=LIST',
    '/signals?format=list&format=list',
    '/signal/btc?format=array',
    '/btc/realtime-signal?coin=',
    '/btc/realtime-signal?coin=doge',
    '/btc/realtime-signal?coin=btc,eth',
    '/btc/realtime-signal?coin=btc&coin=btc',
    '/btc/realtime-signal?coin=%00',
  ])('%s is 422', async (path) => {
    expect((await world.get(path)).status).toBe(422)
  })

  test.each([
    '/signals/',
    '/Signals',
    '/%73ignals',
    '/signal/eth',
    '/signal/btc/',
    '/signal/BTC',
    '/signal%2Fbtc',
    '/x402/signals',
    '/btc/realtime-signal/btc',
    '/eth/realtime-signal',
    '/market-snapshot/btc',
  ])('%s is 404', async (path) => {
    expect((await createClient(world)(path)).status).toBe(404)
  })

  test('an address longer than any of ours is 414', async () => {
    expect((await world.get(`/signals?coins=${'btc,'.repeat(2_500)}`)).status).toBe(414)
  })
})

describe('what it costs', () => {
  test.each(Object.entries(PRICES))('%s costs %s', async (path, amount) => {
    const hasShapes = amount === '12000'
    for (const query of ['?demo=0', ...(hasShapes ? ['?demo=0&format=list'] : [])]) {
      const reply = await world.get(`${path}${query}`)
      expect(reply.status).toBe(402)
      const { accepts } = (await reply.json()) as { accepts: { amount: string }[] }
      expect(accepts.map((each) => each.amount)).toEqual([amount, amount])
    }
    expect((await world.send('HEAD', path)).status).toBe(402)
  })

  test('a stock client pays 0.012 and gets the signals', async () => {
    const buyer = await createBuyer(world)
    const before = await moneyOf(buyer)
    const reply = await buyer.fetch(`${world.url}/signals?demo=0`)
    expect([reply.status, await moneyOf(buyer)]).toEqual([200, before - 12_000n])
    expect(Object.keys(((await reply.json()) as Keyed).signals)).toEqual(COINS)
  })

  test('a coin without a signal is 503, says why and costs no free call; the others can be had', async () => {
    const { services } = world.app
    const own = services.signals.signals
    onTestFinished(replaceSignals(services, (coin) => (coin === 'SOL' ? undefined : own.signal(coin))))
    const client = createClient(world)
    const refused = ['/signals', '/signals?coins=sol', '/btc/realtime-signal?coin=sol', '/market-snapshot']
    for (const path of refused) {
      const reply = await client(path)
      expect([path, reply.status, reply.headers['retry-after']]).toEqual([path, 503, '5'])
      expect(JSON.parse(reply.text)).toMatchObject({
        code: 'upstream_unavailable',
        detail: 'no SOL signal: made up',
        hint: expect.stringContaining('BTC, ETH, XRP'),
      })
    }
    expect(Object.keys((await ask<Keyed>('/signals?coins=btc,xrp')).signals)).toEqual(['BTC', 'XRP'])
    expect((await client('/btc-price')).headers['x-demo-calls-remaining']).toBe('9999')
  })

  test('a signal older than ten seconds, or of a window that has closed, is not sold', async () => {
    const nowMs = Date.now()
    const putBack = replaceSignals(world.app.services, (coin) => signalAt(coin, nowMs - 310_000))
    for (const path of Object.keys(PRICES))
      expect(await (await world.get(path)).json()).toMatchObject({
        status: 503,
        detail: expect.stringContaining('closed'),
      })
    putBack()
    const stale = { ...signalAt('ETH', nowMs), asOfMs: nowMs - 11_000 }
    onTestFinished(
      replaceSignals(world.app.services, (coin) => (coin === 'ETH' ? stale : signalAt(coin, nowMs))),
    )
    const codes = ['/signals', '/btc/realtime-signal?coin=eth', '/market-snapshot'].map(async (path) => {
      const { status, code } = (await (await world.get(path)).json()) as Record<string, unknown>
      return [status, code]
    })
    expect(await Promise.all(codes)).toEqual(Array(3).fill([503, 'stale_data']))
  })

  test('health tells of signals and record, and calls no two things the same', async () => {
    const { checks } = (await (await world.get('/health')).json()) as { checks: { name: string }[] }
    const names = checks.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
    expect(names).toContain('ecosystem')
    for (const name of ['signals', 'record'])
      expect(checks).toContainEqual(expect.objectContaining({ name, needed: false, status: 'ok' }))
    expect((await world.get('/record')).status).toBe(200)
  })
})
