import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { isMissing } from '../../testing/missing.ts'
import { connectRecording, heardOne, type Message } from '../../testing/sandbox/recording-client.ts'
import { type Internet, startInternet } from '../internet.ts'
import { createSimulatedMarket, type SimulatedMarket } from '../market/simulated-market.ts'

// Payloads recorded from the real services lie beside the project where it is developed, not in it.
const RECORDED = new URL('../../../../shared/fixtures/recorded/', import.meta.url)
const areMissing = isMissing('recordedReplies', existsSync(RECORDED))

const START_MS = Date.UTC(2026, 4, 6, 1)
let market: SimulatedMarket
let internet: Internet

beforeAll(async () => {
  market = createSimulatedMarket({ seed: 'shapes', startMs: START_MS })
  internet = await startInternet({ market, clock: createManualClock(START_MS) })
})
afterAll(() => internet.close())

/** Key names and JSON types, all the way down; a list is as its first item. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value))
    return value.length > 4 && typeof value[0] !== 'object'
      ? value.map(shapeOf)
      : value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]))
}
const recorded = (file: string) => JSON.parse(readFileSync(new URL(file, RECORDED), 'utf8'))
const without = (value: Message, ...keys: string[]) =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))
const get = async (url: string) => JSON.parse(await (await fetch(url)).text())

describe.skipIf(areMissing)('the simulated venues have the shape of the real ones', () => {
  it.each([
    ['binance/http_spot_market_agg_trades.json', '/api/v3/aggTrades?symbol=BTCUSDT'],
    ['binance/http_spot_market_trades.json', '/api/v3/trades?symbol=BTCUSDT'],
    ['binance/http_spot_market_klines.json', '/api/v3/klines?symbol=BTCUSDT&interval=1m'],
    ['binance/fapi_fundingRate.json', '/fapi/v1/fundingRate?symbol=BTCUSDT'],
    ['binance/fapi_openInterest.json', '/fapi/v1/openInterest?symbol=BTCUSDT'],
  ])('%s', async (file, path) => {
    expect(shapeOf(await get(internet.urls.BINANCE + path))).toEqual(shapeOf(recorded(file)))
  })

  it("Binance's streams", async () => {
    const streams = ['trade', 'bookTicker', 'ticker', 'depth']
    const client = await connectRecording(
      `${internet.urls.BINANCE_WS}/stream?streams=${streams.map((name) => `btcusdt@${name}`).join('/')}`,
    )
    await internet.advanceTo(market.nowMs() + 5_000)
    const real: { stream: string; data: Message }[] = recorded('binance/ws_spot_messages.json')
    for (const name of streams) {
      const theirs = real.find(({ stream }) => stream.endsWith(`@${name}`))
      const ours = client.heard.find(({ stream }) => stream === `btcusdt@${name}`)
      // Buyer's and seller's order ids left the trade stream in 2023; the recording is older.
      expect(shapeOf(ours?.data)).toEqual(
        shapeOf(name === 'trade' ? without(theirs?.data ?? {}, 'a', 'b') : theirs?.data),
      )
    }
    client.close()
  })

  it("Coinbase's channels", async () => {
    const client = await connectRecording(internet.urls.COINBASE_WS)
    client.send({
      type: 'subscribe',
      product_ids: ['BTC-USD'],
      channels: ['matches', 'level2_batch', 'ticker'],
    })
    await heardOne(client, ({ type }) => type === 'snapshot')
    await internet.advanceTo(market.nowMs() + 5_000)
    const real: Message[] = recorded('coinbase/ws_exchange_messages_tardis.json')
    for (const type of ['match', 'l2update', 'snapshot', 'ticker']) {
      const theirs = real.filter((message) => message.type === type).at(-1)
      const ours = client.heard.find((message) => message.type === type)
      expect(shapeOf(ours)).toEqual(shapeOf(theirs))
    }
    client.close()
  })

  it("the oracle feed's frames", async () => {
    const client = await connectRecording(internet.urls.POLY_LIVE_WS)
    client.send({ op: 'ping', rid: 'ping' })
    client.send({ op: 'nope' })
    client.send({ op: 'auth', rid: 'a', auth: internet.credentials })
    const of = (filter: Record<string, unknown>, channel = 'price.crypto') => [{ channel, filter }]
    client.send({ op: 'subscribe', rid: 's', subscriptions: of({ symbol: 'btcusd' }) })
    client.send({ op: 'subscribe', rid: 's', subscriptions: of({ symbol: 'nope' }) })
    client.send({
      op: 'subscribe',
      rid: 's',
      subscriptions: of({ symbol: 'btcusd', window_seconds: 60 }, 'price.crypto.twap'),
    })
    await heardOne(client, ({ channel, snapshot }) => snapshot === true && channel === 'price.crypto.twap')
    await internet.advanceTo(market.nowMs() + 2_000)
    const kindOf = (m: Message) =>
      [m.op, m.code, m.channel, m.snapshot].filter((part) => part !== undefined).join(' ')
    const real: Message[] = recorded('polymarket-polybolt/frames_captured_staging.json')
    // An empty list of the past has no item to compare.
    const filled = real.filter(
      ({ payload }) => (payload as { data?: unknown[] } | undefined)?.data?.length !== 0,
    )
    // `source` is documented but was not in the staging recording.
    const bare = (m: Message | undefined) => ({
      ...m,
      ...(m?.payload !== undefined && { payload: without(m.payload as Message, 'source') }),
    })
    const kinds = new Set(filled.map(kindOf))
    expect(kinds.size).toBe(10)
    for (const kind of kinds) {
      const theirs = filled.find((message) => kindOf(message) === kind)
      const ours = client.heard.find((message) => kindOf(message) === kind)
      expect([kind, shapeOf(bare(ours))]).toEqual([kind, shapeOf(theirs)])
    }
    client.close()
  })
})
