import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createManualClock } from '../../../../core/time/manual-clock.ts'
import {
  createHandMadeVenue,
  type HandMadeVenue,
  plainMarket,
  windowMarket,
} from '../../../../testing/sandbox/hand-made-venue.ts'
import { connectText, type TextClient } from '../../../../testing/sandbox/text-client.ts'
import { type Internet, startInternet } from '../../../internet.ts'
import { createSimulatedMarket, type SimulatedMarket } from '../../../market/simulated-market.ts'
import type { VenueMarket } from '../../../prediction/venue.ts'
import { MAX_ASSETS, SILENCE_LIMIT_MS } from './market-socket.ts'

const START_MS = Date.UTC(2026, 4, 6, 1)
let simulation: SimulatedMarket
let venue: HandMadeVenue
let internet: Internet
let window: VenueMarket

beforeEach(async () => {
  const cadence = { bookEveryMs: 1000, tradesPerSecond: 0.1 }
  simulation = createSimulatedMarket({ seed: 'socket', startMs: START_MS, cadence })
  venue = createHandMadeVenue(simulation.nowMs)
  internet = await startInternet({ market: simulation, clock: createManualClock(START_MS), venue })
  window = windowMarket(START_MS / 1000)
  venue.list(window)
  venue.setBook(window, [[5000, 88_180_000]], [[5100, 251_520_000]])
})
afterEach(() => internet.close())

type Frame = Readonly<Record<string, unknown>>
const framesOf = ({ texts }: TextClient): Frame[] =>
  texts.filter((text) => /^[[{]/.test(text)).flatMap((text) => JSON.parse(text))
const kindsOf = (client: TextClient) => framesOf(client).map(({ event_type }) => event_type)

/** Waits until what the client sent has been read and answered: the answer to a PING comes last. */
async function settled(client: TextClient): Promise<void> {
  const count = () => client.texts.filter((text) => text === 'PONG').length
  const before = count()
  client.sendRaw('PING')
  while (count() === before) await new Promise((resolve) => setImmediate(resolve))
}

async function connect(first?: Frame): Promise<TextClient> {
  const client = await connectText(`${internet.urls.CLOB_WS}/market`)
  if (first) client.send({ type: 'market', assets_ids: window.tokenIds, ...first })
  if (first) await settled(client)
  return client
}

describe('the market channel', () => {
  it('sends the books at first, in one list', async () => {
    const client = await connect({})
    const books = JSON.parse(client.texts[0] ?? '')
    expect(books.map(({ asset_id }: Frame) => asset_id)).toEqual(window.tokenIds)
    expect(books[0]).toEqual({
      event_type: 'book',
      asset_id: window.tokenIds[0],
      market: window.conditionId,
      timestamp: String(START_MS),
      hash: expect.stringMatching(/^[0-9a-f]{40}$/),
      bids: [{ price: '0.5', size: '88.18' }],
      asks: [{ price: '0.51', size: '251.52' }],
      tick_size: '0.01',
      last_trade_price: '0.490',
    })
    expect((await connect({ initial_dump: false })).texts).toEqual(['PONG'])
  })

  it('tells what changed in both books in one frame, with the hash of the book after it', async () => {
    const client = await connect({})
    venue.setBook(
      window,
      [
        [5050, 1e6],
        [5000, 88_180_000],
      ],
      [],
    )
    await internet.drained()
    const [frame, ...more] = framesOf(client).slice(2)
    const hash = async (index: number) =>
      JSON.parse(await (await fetch(`${internet.urls.CLOB}/book?token_id=${window.tokenIds[index]}`)).text())
        .hash
    const up = { asset_id: window.tokenIds[0], hash: await hash(0), best_bid: '0.505', best_ask: '1' }
    const down = { asset_id: window.tokenIds[1], hash: await hash(1), best_bid: '0', best_ask: '0.495' }
    expect(frame).toEqual({
      event_type: 'price_change',
      market: window.conditionId,
      timestamp: String(START_MS),
      price_changes: [
        { ...up, side: 'BUY', price: '0.505', size: '1' },
        { ...up, side: 'SELL', price: '0.51', size: '0' },
        { ...down, side: 'BUY', price: '0.49', size: '0' },
        { ...down, side: 'SELL', price: '0.495', size: '1' },
      ].map((change) => expect.objectContaining(change)),
    })
    expect(more).toEqual([])
  })

  it('tells trades with the book after them, and changes of the tick', async () => {
    const client = await connect({})
    venue.trade(window, { priceE4: 5100, sharesE6: 10_000_000, side: 'BUY' })
    venue.setTick(window, 10)
    await internet.drained()
    const [trade, ...ticks] = framesOf(client).slice(2)
    expect(trade).toMatchObject({ event_type: 'last_trade_price', price: '0.51', size: '10', side: 'BUY' })
    expect(ticks).toMatchObject(
      window.tokenIds.map((asset_id) => ({ asset_id, old_tick_size: '0.01', new_tick_size: '0.001' })),
    )
  })

  it('sends best prices, new markets and outcomes only to those who asked for them', async () => {
    const plain = await connect({})
    const custom = await connect({ custom_feature_enabled: true })
    const other = plainMarket('rain-tomorrow', 'rain-tomorrow')
    venue.setBook(window, [[4900, 1e6]], [[5100, 251_520_000]])
    venue.list(other)
    for (const client of [plain, custom]) client.send({ operation: 'subscribe', assets_ids: other.tokenIds })
    await Promise.all([settled(plain), settled(custom)])
    venue.resolve(window, 1)
    await internet.drained()
    expect(new Set(kindsOf(plain))).toEqual(new Set(['book', 'price_change']))
    expect(new Set(kindsOf(custom))).toEqual(
      new Set(['book', 'price_change', 'best_bid_ask', 'new_market', 'market_resolved']),
    )
    expect(framesOf(custom).find(({ event_type }) => event_type === 'best_bid_ask')).toMatchObject({
      best_bid: '0.49',
      best_ask: '0.51',
      spread: '0.02',
    })
    expect(framesOf(custom).at(-1)).toMatchObject({
      winning_asset_id: window.tokenIds[1],
      winning_outcome: 'Down',
    })
  })

  it('closes when the last token of a connection is resolved', async () => {
    const client = await connect({})
    venue.resolve(window, 0)
    expect(await client.closed).toEqual({ code: 1000, reason: 'all subscribed assets resolved' })
    const late = await connect()
    late.send({ type: 'market', assets_ids: window.tokenIds })
    expect(await late.closed).toEqual({ code: 1000, reason: 'all subscribed assets resolved' })
  })

  it('adds and drops tokens, one book for each that is new', async () => {
    const [up, down] = window.tokenIds
    const client = await connect({ assets_ids: [up] })
    client.send({ operation: 'subscribe', assets_ids: [up, down] })
    await settled(client)
    expect(framesOf(client).map(({ asset_id }) => asset_id)).toEqual([up, down])
    client.send({ operation: 'unsubscribe', assets_ids: [up, down] })
    await settled(client)
    venue.setBook(window, [], [])
    await internet.drained()
    expect(framesOf(client)).toHaveLength(2)
    client.send({ operation: 'subscribe', assets_ids: [up] })
    await settled(client)
    expect(framesOf(client).at(-1)).toMatchObject({ event_type: 'book', asset_id: up, bids: [], asks: [] })
  })

  it('sends the book of a token that was asked for before it was listed', async () => {
    const next = windowMarket(START_MS / 1000 + 300)
    const client = await connect({ assets_ids: next.tokenIds })
    venue.list(next)
    venue.setBook(next, [[4900, 1e6]], [[5100, 1e6]])
    await internet.drained()
    expect(kindsOf(client)).toEqual(['book', 'book', 'price_change'])
  })
})

describe('connections', () => {
  it.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['nothing asked for', '{"type":"market"}'],
    ['no list', '{"type":"market","assets_ids":"1"}'],
    ['no token', '{"type":"market","assets_ids":["x"]}'],
    ['another channel', '{"type":"user","assets_ids":["1"]}'],
    ['a type that cannot be a text', '{"type":{"toString":1},"assets_ids":["1"]}'],
    ['a change before the beginning', '{"operation":"subscribe","assets_ids":["1"]}'],
    ['an unknown operation', '{"operation":"steal","assets_ids":["1"]}'],
    [
      'too many',
      JSON.stringify({
        type: 'market',
        assets_ids: Array.from({ length: MAX_ASSETS + 1 }, (_, i) => `${i}`),
      }),
    ],
  ])('refuses %s', async (_, text) => {
    const client = await connect()
    client.sendRaw(text)
    await settled(client)
    expect(client.texts).toEqual(['INVALID OPERATION', 'PONG'])
  })

  it('may ask for as many tokens as there are allowed, and for no more', async () => {
    const names = Array.from({ length: MAX_ASSETS }, (_, index) => String(index))
    const client = await connect({ assets_ids: names })
    client.send({ operation: 'subscribe', assets_ids: ['12345'] })
    await settled(client)
    expect(client.texts).toEqual(['[]', 'PONG', 'INVALID OPERATION', 'PONG'])
  })

  it('ends when nothing was heard for long, and not while the client says PING', async () => {
    const [silent, talking] = [await connect({}), await connect({})]
    for (let passedMs = 0; passedMs <= SILENCE_LIMIT_MS; passedMs += 10_000) {
      await settled(talking)
      await internet.advanceTo(START_MS + passedMs)
    }
    await internet.advanceTo(START_MS + SILENCE_LIMIT_MS + 5_000)
    expect((await silent.closed).code).toBe(1001)
    await settled(talking)
  })

  it('break and come to nothing when the provider fails', async () => {
    const client = await connect({})
    internet.outages.set('clob', 'socket', { kind: 'wrong_types' })
    venue.setBook(window, [], [])
    client.sendRaw('PING')
    await internet.drained()
    expect(client.texts.slice(2)).toEqual([expect.stringContaining('"event_type":true'), 'true'])
    internet.outages.set('clob', 'socket', { kind: 'reset' })
    expect((await client.closed).code).toBe(1006)
    internet.outages.set('clob', 'socket')
    expect(kindsOf(await connect({}))).toEqual(['book', 'book'])
  })
})
