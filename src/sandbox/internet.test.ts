import { once } from 'node:events'
import ccxt from 'ccxt'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { UPSTREAMS } from '../config/providers.ts'
import type { Coin } from '../core/coin.ts'
import { createManualClock } from '../core/time/manual-clock.ts'
import { connectRecording, heardOne } from '../testing/sandbox/recording-client.ts'
import { type Internet, startInternet } from './internet.ts'
import { type SimVenue, toPrice, toSize } from './market/instrument.ts'
import type { SimLevel, SimLiquidation } from './market/sim-events.ts'
import { type Cadence, createSimulatedMarket, type SimulatedMarket } from './market/simulated-market.ts'
import type { Tamper } from './providers/peers.ts'

const START_MS = Date.UTC(2026, 4, 6, 1)

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})

async function world(tamper?: Tamper, cadence: Partial<Cadence> = {}) {
  const market = createSimulatedMarket({ seed: 'internet', startMs: START_MS, cadence })
  const clock = createManualClock(START_MS)
  const internet = await startInternet({ market, clock, ...(tamper && { tamper }) })
  open.push(internet)
  return { market, clock, internet }
}

async function binanceClient({ urls }: Internet) {
  const exchange = new ccxt.pro.binance({
    options: { defaultType: 'spot', fetchMarkets: { types: ['spot', 'linear'] } },
  })
  open.push(exchange)
  Object.assign(exchange.urls.api, {
    public: `${urls.BINANCE}/api/v3`,
    fapiPublic: `${urls.BINANCE}/fapi/v1`,
  })
  Object.assign(exchange.urls.api.ws, { spot: `${urls.BINANCE_WS}/stream`, future: `${urls.BINANCE_WS}/ws` })
  await exchange.loadHttpProxyAgent()
  await exchange.loadMarkets()
  return exchange
}

async function coinbaseClient({ urls }: Internet) {
  const exchange = new ccxt.pro.coinbaseexchange({ apiKey: 'any', secret: 'YW55', password: 'any' })
  open.push(exchange)
  Object.assign(exchange.urls.api, { public: urls.COINBASE, ws: urls.COINBASE_WS })
  await exchange.loadHttpProxyAgent()
  await exchange.loadMarkets()
  return exchange
}

/** Moves time in small steps until `waiting` is settled. */
async function advanceUntil<T>(
  internet: Internet,
  market: SimulatedMarket,
  waiting: Promise<T>,
  stepMs = 100,
): Promise<T> {
  let isSettled = false
  waiting.finally(() => {
    isSettled = true
  })
  while (!isSettled) {
    await internet.advanceTo(market.nowMs() + stepMs)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return waiting
}

const levels = (market: SimulatedMarket, venue: SimVenue, coin: Coin, side: readonly SimLevel[]) =>
  side.map(([ticks, lots]) => [
    toPrice(market.instrument(venue, coin), ticks),
    toSize(market.instrument(venue, coin), lots),
  ])

function expectSameBook(
  market: SimulatedMarket,
  venue: SimVenue,
  coin: Coin,
  seen: { bids: unknown[]; asks: unknown[] } | undefined,
) {
  const { bids, asks } = market.book(venue, coin)
  expect([...(seen?.bids ?? [])]).toEqual(levels(market, venue, coin, bids))
  expect([...(seen?.asks ?? [])]).toEqual(levels(market, venue, coin, asks))
}

it('has an address on this machine for every upstream', async () => {
  const { urls } = (await world()).internet
  const { host } = new URL(urls.BINANCE)
  expect(host).toMatch(/^127\.0\.0\.1:/)
  expect(Object.keys(urls).sort()).toEqual(UPSTREAMS.map(({ name }) => name).sort())
  for (const { name, url, provider } of UPSTREAMS)
    expect(urls[name]).toMatch(
      new RegExp(`^${url?.startsWith('wss:') ? 'ws' : 'http'}://${host}/${provider}(/|$)`),
    )
  expect(urls).toMatchObject({
    BINANCE: `http://${host}/binance`,
    BINANCE_WS: `ws://${host}/binance`,
    COINBASE: `http://${host}/coinbase`,
    COINBASE_WS: `ws://${host}/coinbase`,
    POLY_LIVE_WS: `ws://${host}/polybolt/ws`,
    GAMMA: `http://${host}/gamma`,
    CLOB: `http://${host}/clob`,
    CLOB_WS: `ws://${host}/clob/ws`,
    POLY_DATA: `http://${host}/poly_data`,
    POLY_WEB: `http://${host}/poly_web`,
    RELAYER: `http://${host}/relayer`,
  })
})

describe('ccxt pro', () => {
  it("follows the Binance book through 1,000 updates and ends with the simulator's own", async () => {
    const { market, internet } = await world()
    const exchange = await binanceClient(internet)
    await advanceUntil(internet, market, exchange.watchOrderBook('BTC/USDT'))
    await advanceUntil(internet, market, exchange.watchOrderBook('XRP/USDT'))
    let updates = 0
    market.onBookDiff(({ venue, coin }) => {
      if (venue === 'binance' && coin === 'BTC') updates++
    })
    await internet.advanceTo(market.nowMs() + 100_000)
    expect(updates).toBeGreaterThanOrEqual(990)
    for (const coin of ['BTC', 'XRP'] as const) {
      const book = exchange.orderbooks[`${coin}/USDT`]
      expect(book?.nonce).toBe(market.book('binance', coin).updateId)
      expectSameBook(market, 'binance', coin, book)
    }
  })

  it('follows the Coinbase book through 1,000 updates', async () => {
    const { market, internet } = await world()
    const exchange = await coinbaseClient(internet)
    await advanceUntil(internet, market, exchange.watchOrderBook('ETH/USD'))
    await internet.advanceTo(market.nowMs() + 100_000)
    expectSameBook(market, 'coinbase', 'ETH', exchange.orderbooks['ETH/USD'])
  })

  it("receives every trade with the taker's side", async () => {
    const { market, internet } = await world()
    const binance = await binanceClient(internet)
    const coinbase = await coinbaseClient(internet)
    await advanceUntil(
      internet,
      market,
      binance.watchTrades('BTC/USDT', undefined, undefined, { name: 'aggTrade' }),
    )
    await advanceUntil(internet, market, coinbase.watchTrades('BTC/USD'))
    await internet.advanceTo(market.nowMs() + 60_000)
    for (const [venue, heard] of [
      ['binance', binance.trades['BTC/USDT']],
      ['coinbase', coinbase.trades['BTC/USD']],
    ] as const) {
      const seen = [...(heard ?? [])].map(({ id, price, amount, side, timestamp }) => ({
        id: Number(id),
        price,
        amount,
        side,
        timestamp,
      }))
      const own = market.trades(venue, 'BTC').fromId(seen[0]?.id ?? 0, 1000)
      const instrument = market.instrument(venue, 'BTC')
      expect(seen.length).toBeGreaterThan(30)
      expect(seen).toEqual(
        own.map((trade) => ({
          id: trade.id,
          price: toPrice(instrument, trade.priceTicks),
          amount: toSize(instrument, trade.lots),
          side: trade.side,
          timestamp: trade.atMs,
        })),
      )
    }
  })

  it('reads candles, tickers, funding and open interest', async () => {
    const { market, internet } = await world()
    const binance = await binanceClient(internet)
    const coinbase = await coinbaseClient(internet)
    const day = await binance.fetchOHLCV('SOL/USDT', '1m', START_MS - 24 * 3600_000, 1000)
    expect(day.length).toBe(1000)
    expect((await coinbase.fetchOHLCV('SOL/USD', '5m')).length).toBeGreaterThan(250)
    expect((await binance.fetchTicker('SOL/USDT')).last).toBeGreaterThan(0)
    expect((await coinbase.fetchTicker('SOL/USD')).last).toBeGreaterThan(0)
    const funding = await binance.fetchFundingRate('BTC/USDT:USDT')
    expect(funding.fundingTimestamp).toBe(market.perpetual.at('BTC', START_MS).nextFundingMs)
    expect((await binance.fetchOpenInterest('BTC/USDT:USDT')).openInterestAmount).toBeGreaterThan(0)
    expect((await binance.fetchFundingRateHistory('BTC/USDT:USDT')).length).toBeGreaterThan(3)
    const mark = await advanceUntil(internet, market, binance.watchMarkPrice('BTC/USDT:USDT'))
    expect(mark.markPrice).toBeGreaterThan(0)
    await expect(binance.fetchTrades('BTC/USDT', undefined, 5, { symbol: 'NOPE' })).rejects.toThrow(
      'Invalid symbol',
    )
  })
})

describe('ccxt pro on the futures side', () => {
  it('receives liquidations', async () => {
    const { market, internet } = await world(undefined, { bookEveryMs: 1000, tradesPerSecond: 0.1 })
    const forced: SimLiquidation[] = []
    market.onLiquidation((order) => forced.push(order))
    const binance = await binanceClient(internet)
    const heard = await advanceUntil(internet, market, binance.watchLiquidations('SOL/USDT:USDT'), 10_000)
    const own = forced.find(({ coin, atMs }) => coin === 'SOL' && atMs === heard[0]?.timestamp)
    expect(heard[0]?.price).toBeCloseTo(own?.price ?? 0, 2)
    expect(heard[0]?.contracts).toBeCloseTo(own?.size ?? 0, 3)
  })
})

describe('a bad network', () => {
  it('drops messages, and REST has exactly the missing trades', async () => {
    const dropped: number[] = []
    let isOut = false
    const { market, internet } = await world(({ stream, text }) => {
      if (!isOut || stream !== 'btcusdt@aggTrade') return [text]
      dropped.push(JSON.parse(text).a)
      return []
    })
    const client = await connectRecording(`${internet.urls.BINANCE_WS}/ws/btcusdt@aggTrade`)
    await internet.advanceTo(market.nowMs() + 30_000)
    isOut = true
    await internet.advanceTo(market.nowMs() + 30_000)
    isOut = false
    await internet.advanceTo(market.nowMs() + 30_000)
    const ids = client.heard.map(({ a }) => Number(a))
    const gap = ids.findIndex((id, i) => i > 0 && id !== (ids[i - 1] ?? 0) + 1)
    const [from, to] = [(ids[gap - 1] ?? 0) + 1, ids[gap] ?? 0]
    const url = `${internet.urls.BINANCE}/api/v3/aggTrades?symbol=BTCUSDT&fromId=${from}&limit=${to - from}`
    const repaired: { a: number }[] = JSON.parse(await (await fetch(url)).text())
    expect(dropped.length).toBeGreaterThan(20)
    expect(repaired.map(({ a }) => a)).toEqual(dropped)
    client.close()
  })

  it('duplicates, garbles and disconnects', async () => {
    let isCut = false
    const { market, internet } = await world(({ venue, stream, text }) => {
      if (venue !== 'coinbase' || stream === 'control') return [text]
      return isCut ? 'disconnect' : [text, '{"garbled":1}', text]
    })
    const client = await connectRecording(internet.urls.COINBASE_WS)
    client.send({ type: 'subscribe', product_ids: ['BTC-USD'], channels: ['matches'] })
    await heardOne(client, ({ type }) => type === 'subscriptions')
    await internet.advanceTo(market.nowMs() + 20_000)
    const kinds = client.heard.slice(1).map(({ type, garbled }) => (garbled === 1 ? 'garbled' : type))
    expect(kinds.slice(0, 6)).toEqual(['last_match', 'garbled', 'last_match', 'match', 'garbled', 'match'])
    isCut = true
    await internet.advanceTo(market.nowMs() + 20_000)
    expect(await client.closed).toBe(1006)
  })

  it('drops one provider and leaves the others', async () => {
    const { internet } = await world()
    const binance = await connectRecording(`${internet.urls.BINANCE_WS}/ws`)
    const coinbase = await connectRecording(internet.urls.COINBASE_WS)
    internet.disconnectAll('binance')
    expect(await binance.closed).toBe(1006)
    coinbase.send({ type: 'subscribe', product_ids: ['BTC-USD'], channels: ['heartbeat'] })
    await heardOne(coinbase, ({ type }) => type === 'subscriptions')
    coinbase.close()
  })
})

describe('in real time', () => {
  it('the venues ping their clients as the real ones do', async () => {
    const { clock, internet } = await world()
    const pings = async (url: string) => {
      const socket = new WebSocket(url)
      open.push({ close: async () => socket.terminate() })
      let count = 0
      socket.on('ping', (payload) => {
        if (payload.length === 0) count++
      })
      await once(socket, 'open')
      return () => count
    }
    const binance = await pings(`${internet.urls.BINANCE_WS}/ws`)
    const polybolt = await pings(internet.urls.POLY_LIVE_WS)
    clock.advance(100_000)
    await internet.drained()
    expect([binance(), polybolt()]).toEqual([5, 4])
  })

  it('the market follows the clock, and catches up in pieces after a pause', async () => {
    const market = createSimulatedMarket({
      seed: 'real',
      startMs: START_MS,
      cadence: { bookEveryMs: 1000, tradesPerSecond: 0.1 },
    })
    const clock = createManualClock(START_MS)
    open.push(await startInternet({ market, clock, realTime: true }))
    clock.advance(2_000)
    expect(market.nowMs()).toBe(START_MS + 2_000)
    const paused = createManualClock(START_MS + 60_000)
    const late = createSimulatedMarket({
      seed: 'real',
      startMs: START_MS,
      cadence: { bookEveryMs: 1000, tradesPerSecond: 0.1 },
    })
    open.push(await startInternet({ market: late, clock: paused, realTime: true }))
    paused.advance(100)
    expect(late.nowMs()).toBe(START_MS + 5_000)
    paused.advance(2_000)
    expect(late.nowMs()).toBe(START_MS + 62_000)
  })
})
