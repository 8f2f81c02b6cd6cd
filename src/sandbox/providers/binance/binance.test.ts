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
  market = createSimulatedMarket({ seed: 'binance', startMs: START_MS })
  internet = await startInternet({ market, clock: createManualClock(START_MS) })
})
afterAll(() => internet.close())

async function get(path: string) {
  const response = await fetch(`${internet.urls.BINANCE}${path}`)
  return { status: response.status, body: JSON.parse(await response.text()) }
}
const connect = (path: string) => connectRecording(`${internet.urls.BINANCE_WS}${path}`)
const advance = (ms: number) => internet.advanceTo(market.nowMs() + ms)

async function subscribe(client: RecordingClient, params: readonly string[], id = 1) {
  client.send({ method: 'SUBSCRIBE', params, id })
  expect(await heardOne(client, (message) => message.id === id)).toEqual({ result: null, id })
}

type Level = [string, string]
type Depth = { U: number; u: number; b: Level[]; a: Level[] }

describe("Binance's REST addresses", () => {
  it.each([
    ['/api/v3/depth?symbol=NOPE', 400, { code: -1121, msg: 'Invalid symbol.' }],
    ['/api/v3/klines?symbol=BTCUSDT&interval=7m', 400, { code: -1120, msg: 'Invalid interval.' }],
    ['/api/v3/ping', 200, {}],
    ['/fapi/v1/openInterest?symbol=NOPE', 400, { code: -1121, msg: 'Invalid symbol.' }],
  ])('answer %s with %i', async (path, status, body) => {
    expect(await get(path)).toEqual({ status, body })
  })

  it.each([
    ['/api/v3/depth', -1102],
    ['/api/v3/depth?symbol=BTCUSDT&limit=x', -1100],
    ['/api/v3/aggTrades?symbol=BTCUSDT&fromId=-1', -1100],
    ['/api/v3/aggTrades?symbol=BTCUSDT&fromId=1&startTime=1', -1128],
    ['/fapi/v1/openInterest', -1102],
  ])('refuse %s with code %i', async (path, code) => {
    expect(await get(path)).toMatchObject({ status: 400, body: { code } })
  })

  it('answer 404 to unknown paths and 405 to other methods', async () => {
    for (const path of ['/api/v3/nope', '/api/v3/constructor', '/nope', '/sapi/v1/x'])
      expect((await get(path)).status).toBe(404)
    const post = await fetch(`${internet.urls.BINANCE}/api/v3/ping`, { method: 'POST' })
    expect(post.status).toBe(405)
  })

  it('list aggregate trades by id, by time and the latest', async () => {
    await advance(20_000)
    const log = market.trades('binance', 'BTC')
    const own = log.last(20)
    const ids = async (query: string) =>
      (await get(`/api/v3/aggTrades?symbol=BTCUSDT&${query}`)).body.map(({ a }: { a: number }) => a)
    expect(await ids(`fromId=${own[3]?.id}&limit=5`)).toEqual(own.slice(3, 8).map(({ id }) => id))
    expect(await ids('limit=20')).toEqual(own.map(({ id }) => id))
    const [from, to] = [own[2]?.atMs ?? 0, own[9]?.atMs ?? 0]
    expect(await ids(`startTime=${from}&endTime=${to}`)).toEqual(
      log.between(from, to, 1000).map(({ id }) => id),
    )
  })

  it('list candles: contiguous, a day back and more, the running one last', async () => {
    const { body } = await get('/api/v3/klines?symbol=ETHUSDT&interval=1m&limit=1000')
    const opens = body.map(([openMs]: [number]) => openMs)
    expect(opens.at(-1)).toBe(Math.floor(market.nowMs() / 60_000) * 60_000)
    expect(opens).toEqual(Array.from({ length: 1000 }, (_, i) => opens[0] + i * 60_000))
    const fromMs = START_MS - 24 * 3600_000
    const old = (await get(`/api/v3/klines?symbol=ETHUSDT&interval=5m&startTime=${fromMs}&limit=3`)).body
    expect(old.map(([openMs]: [number]) => openMs)).toEqual([fromMs, fromMs + 300_000, fromMs + 600_000])
    const hours = (await get('/api/v3/klines?symbol=ETHUSDT&interval=1h')).body
    expect(hours[0][0]).toBe(market.historyFromMs())
  })

  it('give one ticker, several or all', async () => {
    expect((await get('/api/v3/ticker/price?symbol=BTCUSDT')).body.symbol).toBe('BTCUSDT')
    expect((await get('/api/v3/ticker/bookTicker?symbols=["BTCUSDT","XRPUSDT"]')).body.length).toBe(2)
    expect((await get('/api/v3/ticker/24hr')).body.length).toBe(4)
    expect((await get('/api/v3/ticker/24hr?symbols=["BTCUSDT","NOPE"]')).body.code).toBe(-1121)
  })
})

describe("Binance's streams", () => {
  it('let a client build the book by the documented procedure', async () => {
    const client = await connect('/ws/solusdt@depth@100ms')
    await advance(3_000)
    const snapshot = (await get('/api/v3/depth?symbol=SOLUSDT&limit=1000')).body
    await advance(30_000)
    const events = client.heard.map((message) => message as unknown as Depth)
    const fresh = events.filter(({ u }) => u > snapshot.lastUpdateId)
    expect(events.length).toBeGreaterThan(fresh.length)
    expect(fresh[0]?.U).toBeLessThanOrEqual(snapshot.lastUpdateId + 1)
    const sides = { b: new Map<string, string>(snapshot.bids), a: new Map<string, string>(snapshot.asks) }
    let last = snapshot.lastUpdateId
    for (const event of fresh) {
      expect(event.U).toBe(last + 1)
      last = event.u
      for (const side of ['b', 'a'] as const)
        for (const [price, size] of event[side])
          if (Number(size) === 0) sides[side].delete(price)
          else sides[side].set(price, size)
    }
    const now = (await get('/api/v3/depth?symbol=SOLUSDT&limit=1000')).body
    expect(last).toBe(now.lastUpdateId)
    expect([...sides.b].sort((x, y) => Number(y[0]) - Number(x[0]))).toEqual(now.bids)
    expect([...sides.a].sort((x, y) => Number(x[0]) - Number(y[0]))).toEqual(now.asks)
    client.close()
  })

  it('give the slow depth stream once a second without a gap', async () => {
    const client = await connect('/ws')
    await subscribe(client, ['xrpusdt@depth'])
    await advance(10_000)
    const events = client.heard.slice(1).map((message) => message as unknown as Depth)
    expect(events.length).toBe(10)
    for (const [i, event] of events.entries()) if (i > 0) expect(event.U).toBe((events[i - 1]?.u ?? 0) + 1)
    expect(events.at(-1)?.u).toBe(market.book('binance', 'XRP').updateId)
    client.close()
  })

  it('wrap events on /stream, list and end subscriptions', async () => {
    const client = await connect('/stream?streams=btcusdt@aggTrade/ethusdt@bookTicker')
    client.send({ method: 'LIST_SUBSCRIPTIONS', id: 7 })
    const list = await heardOne(client, ({ id }) => id === 7)
    expect(list.result).toEqual(['btcusdt@aggTrade', 'ethusdt@bookTicker'])
    await advance(5_000)
    expect(new Set(client.heard.slice(1).map(({ stream }) => stream))).toEqual(
      new Set(['btcusdt@aggTrade', 'ethusdt@bookTicker']),
    )
    client.send({ method: 'UNSUBSCRIBE', params: ['btcusdt@aggTrade', 'ethusdt@bookTicker'], id: 8 })
    await heardOne(client, ({ id }) => id === 8)
    const before = client.heard.length
    await advance(5_000)
    expect(client.heard.length).toBe(before)
    client.close()
  })

  it('close a candle at the minute and begin the next', async () => {
    const client = await connect('/ws')
    await subscribe(client, ['btcusdt@kline_1m'])
    await advance(61_000)
    const candles = client.heard.slice(1).map(({ k }) => k as { t: number; x: boolean; c: string })
    const closed = candles.filter(({ x }) => x)
    expect(closed.length).toBe(1)
    const [, , , , close] = (
      await get(`/api/v3/klines?symbol=BTCUSDT&interval=1m&startTime=${closed[0]?.t}&limit=1`)
    ).body[0]
    expect(closed[0]?.c).toBe(close)
    expect(candles.at(-1)?.t).toBe((closed[0]?.t ?? 0) + 60_000)
    client.close()
  })

  it('carry fills that add up to the aggregates', async () => {
    const client = await connect('/ws')
    await subscribe(client, ['btcusdt@trade', 'btcusdt@aggTrade'])
    await advance(20_000)
    const fills = client.heard.filter(({ e }) => e === 'trade').map(({ t }) => Number(t))
    const aggregates = client.heard.filter(({ e }) => e === 'aggTrade')
    expect(fills).toEqual(Array.from({ length: fills.length }, (_, i) => (fills[0] ?? 0) + i))
    expect(fills[0]).toBe(aggregates[0]?.f)
    expect(fills.at(-1)).toBe(aggregates.at(-1)?.l)
    client.close()
  })

  it('serve mark prices and liquidations of the futures at their own addresses', async () => {
    const client = await connect('/market/ws/0')
    await subscribe(client, ['btcusdt@markPrice@1s', 'ethusdt@markPrice', '!forceOrder@arr'])
    await advance(30_000)
    const marks = (symbol: string) =>
      client.heard.filter(({ e, s }) => e === 'markPriceUpdate' && s === symbol)
    expect(marks('BTCUSDT').length).toBe(30)
    expect(marks('ETHUSDT').length).toBe(10)
    client.close()
  })

  it('send the best bid and ask when they change, and only then', async () => {
    const client = await connect('/ws/xrpusdt@bookTicker')
    const own: number[] = []
    let last = ''
    const stop = market.onBookDiff(({ venue, coin }) => {
      if (venue !== 'binance' || coin !== 'XRP') return
      const { bids, asks, updateId } = market.book('binance', 'XRP')
      const touch = `${bids[0]} ${asks[0]}`
      if (touch !== last && last !== '') own.push(updateId)
      last = touch
    })
    await advance(20_000)
    stop()
    expect(client.heard.map(({ u }) => u).slice(-own.length)).toEqual(own)
    const touches = client.heard.map(({ b, B, a, A }) => `${b} ${B} ${a} ${A}`)
    expect(touches.length).toBeGreaterThan(20)
    expect(touches.filter((touch, i) => touch === touches[i - 1])).toEqual([])
    const { body } = await get('/api/v3/ticker/bookTicker?symbol=XRPUSDT')
    expect(touches.at(-1)).toBe(`${body.bidPrice} ${body.bidQty} ${body.askPrice} ${body.askQty}`)
    client.close()
  })

  it('send a ticker once a second', async () => {
    const client = await connect('/ws/btcusdt@ticker')
    await advance(3_000)
    expect(client.heard.map(({ e }) => e)).toEqual(['24hrTicker', '24hrTicker', '24hrTicker'])
    client.close()
  })

  it.each([
    ['not json', 3],
    ['[]', 3],
    ['{"method":"NOPE","id":1}', 2],
    ['{"method":"SUBSCRIBE","params":"btcusdt@trade","id":1}', 2],
    [JSON.stringify({ method: 'SUBSCRIBE', params: Array(1025).fill('btcusdt@trade'), id: 1 }), 2],
  ])('refuse %s', async (text, code) => {
    const client = await connect('/ws')
    client.sendRaw(text)
    expect(await heardOne(client, (message) => 'code' in message)).toMatchObject({ code })
    client.close()
  })
})
