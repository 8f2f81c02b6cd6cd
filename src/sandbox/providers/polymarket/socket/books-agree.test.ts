import { afterEach, expect, it } from 'vitest'
import { COINS } from '../../../../core/coin.ts'
import { createManualClock } from '../../../../core/time/manual-clock.ts'
import { connectText, type TextClient } from '../../../../testing/sandbox/text-client.ts'
import { slugOf } from '../../../../upstreams/polymarket/five-minute-market.ts'
import { type Internet, startInternet } from '../../../internet.ts'
import { createSimulatedMarket } from '../../../market/simulated-market.ts'
import { createPredictionVenue } from '../../../prediction/prediction-venue.ts'

const START_MS = Date.UTC(2026, 4, 6, 1)
const START_S = START_MS / 1000
/** Near the end of a window ticks become finer. */
const FROM_S = 220
const open: Internet[] = []
afterEach(async () => {
  for (const internet of open.splice(0)) await internet.close()
})

type Level = { price: string; size: string }
type Change = Level & {
  asset_id: string
  side: 'BUY' | 'SELL'
  hash: string
  best_bid: string
  best_ask: string
}
type Book = { asset_id: string; bids: Level[]; asks: Level[]; hash: string }
type Frame = Partial<Book> & { event_type: string; price_changes?: Change[] }
type Known = { BUY: Map<string, string>; SELL: Map<string, string>; hash: string; best?: string }

/** What a client makes of the frames: nothing but snapshots and changes. */
function apply(books: Map<string, Known>, texts: readonly string[]): void {
  const frames: Frame[] = texts.filter((text) => text !== 'PONG').flatMap((text) => JSON.parse(text))
  const sideOf = (levels: Level[]) => new Map(levels.map(({ price, size }) => [price, size]))
  for (const frame of frames) {
    if (frame.event_type === 'book') {
      const { asset_id, bids, asks, hash } = frame as Book & Frame
      books.set(asset_id, { BUY: sideOf(bids), SELL: sideOf(asks), hash })
    }
    for (const { asset_id, side, price, size, hash } of frame.price_changes ?? []) {
      const book = books.get(asset_id)
      if (!book) continue
      book.hash = hash
      if (size === '0') book[side].delete(price)
      else book[side].set(price, size)
    }
    for (const change of frame.price_changes ?? []) {
      const book = books.get(change.asset_id)
      if (book) book.best = `${change.best_bid} ${change.best_ask}`
    }
  }
}

/** In the order of the wire: bids rising, asks falling. */
function shown(known: Known | undefined) {
  const rows = (side: 'BUY' | 'SELL', sign: 1 | -1) =>
    [...(known?.[side] ?? [])]
      .map(([price, size]) => ({ price, size }))
      .sort((a, b) => (Number(a.price) - Number(b.price)) * sign)
  const [bids, asks] = [rows('BUY', 1), rows('SELL', -1)]
  // What the frames say about the best prices is what their changes make of them.
  const best = `${bids.at(-1)?.price ?? '0'} ${asks.at(-1)?.price ?? '1'}`
  return JSON.stringify([bids, asks, known?.hash, known?.best === undefined || known.best === best])
}

it('a client that applies snapshot and changes has the book that is read at the same moment', async () => {
  const market = createSimulatedMarket({
    seed: 'agree',
    startMs: START_MS,
    cadence: { bookEveryMs: 500, tradesPerSecond: 0.2 },
  })
  const venue = createPredictionVenue({ seed: 'agree', market })
  market.advanceTo(START_MS + FROM_S * 1000)
  const clock = createManualClock(market.nowMs())
  const internet = await startInternet({ market, clock, venue })
  open.push(internet)
  const tokens = COINS.slice(0, 2).flatMap((coin) => venue.findBySlug(slugOf(coin, START_S))?.tokenIds ?? [])
  const follow = async (): Promise<{ client: TextClient; books: Map<string, Known>; read: number }> => {
    const client = await connectText(`${internet.urls.CLOB_WS}/market`)
    client.send({ type: 'market', assets_ids: tokens })
    while (client.texts.length === 0) await new Promise((resolve) => setImmediate(resolve))
    return { client, books: new Map(), read: 0 }
  }
  const followers = [await follow()]
  let changes = 0
  const wrong: string[] = []
  for (let second = FROM_S + 1; second <= 290; second++) {
    clock.advanceTo(START_MS + second * 1000)
    if (second % 60 === 0) for (const { client } of followers) client.sendRaw('PING')
    if (second === 250) followers.push(await follow())
    await internet.advanceTo(START_MS + second * 1000)
    const reply = await fetch(`${internet.urls.CLOB}/books`, {
      method: 'POST',
      body: JSON.stringify(tokens.map((token_id) => ({ token_id }))),
    })
    const real: Book[] = JSON.parse(await reply.text())
    expect(real).toHaveLength(tokens.length)
    for (const follower of followers) {
      const { client, books, read } = follower
      apply(books, client.texts.slice(read))
      changes += client.texts.length - read
      follower.read = client.texts.length
      for (const { asset_id, bids, asks, hash } of real)
        if (shown(books.get(asset_id)) !== JSON.stringify([bids, asks, hash, true])) wrong.push(asset_id)
    }
  }
  expect(changes).toBeGreaterThan(400)
  expect(wrong).toEqual([])
  const frames = followers[0]?.client.texts.join('\n') ?? ''
  for (const kind of ['last_trade_price', 'tick_size_change']) expect(frames).toContain(`"${kind}"`)
})
