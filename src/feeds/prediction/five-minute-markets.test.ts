import fc from 'fast-check'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { WINDOW_S } from '../../core/time/window.ts'
import { fiveMinuteMarket } from '../../testing/prediction/five-minute-market.ts'
import { createScriptedSockets } from '../../testing/prediction/scripted-socket.ts'
import { searchSize } from '../../testing/search-size.ts'
import { createSeeded } from '../../testing/seeded.ts'
import type { TokenBook } from '../../upstreams/polymarket/token-book.ts'
import { createFiveMinuteMarkets } from './five-minute-markets.ts'

const OPEN_S = Date.UTC(2026, 0, 5, 12) / 1000
const START_MS = OPEN_S * 1000 + 90_000
const BTC = fiveMinuteMarket({ coin: 'BTC', startS: OPEN_S })
const NEXT = fiveMinuteMarket({ coin: 'BTC', startS: OPEN_S + WINDOW_S })

/** A venue with one coin, whose books a test sets and tells by hand. */
async function openScript() {
  const clock = createManualClock(START_MS)
  const sockets = createScriptedSockets()
  const asked: { tokenIds: readonly string[]; atMs: number }[] = []
  const books = new Map<string, TokenBook>()
  const rest = { isDown: false }
  const feed = createFiveMinuteMarkets({
    clock,
    random: createSeeded(2).fraction,
    log: pino({ level: 'silent' }),
    url: 'ws://venue/market',
    gate: { check() {}, note() {} },
    openSocket: sockets.openSocket,
    lookup: {
      fiveMinute: async (coin, startS) => (coin === 'BTC' ? fiveMinuteMarket({ coin, startS }) : undefined),
      async books(tokenIds) {
        asked.push({ tokenIds, atMs: clock.now() })
        if (rest.isDown) throw new Error('down')
        return { books: new Map([...books].filter(([tokenId]) => tokenIds.includes(tokenId))) }
      },
    },
  })
  const settle = async () => {
    for (let turns = 0; feed.isBusy && turns < 50; turns++) await Promise.resolve()
  }
  const pass = async (seconds: number, eachSecond = () => {}) => {
    for (let passed = 0; passed < seconds; passed++) {
      clock.advance(1_000)
      eachSecond()
      await settle()
    }
  }
  feed.start()
  await settle()
  return { clock, sockets, asked, books, rest, feed, pass }
}

type Side = readonly (readonly [price: number, shares: number])[]
const wire = (side: Side) =>
  side.map(([price, size]) => ({ price: String(price), size: String(size) })).reverse()

function bookOf(tokenId: string, atMs: number, bids: Side, asks: Side): TokenBook {
  const nothing = { tickSize: 0.01, minOrderSize: 5, lastTradePrice: undefined, hash: undefined }
  return { tokenId, conditionId: BTC.conditionId, bids, asks, atMs, ...nothing }
}

function bookFrame({ tokenId, conditionId, bids, asks, atMs }: TokenBook) {
  const id = { event_type: 'book', asset_id: tokenId, market: conditionId }
  return { ...id, timestamp: String(atMs), hash: 'h', bids: wire(bids), asks: wire(asks), tick_size: '0.01' }
}

type Change = {
  token: string
  side: 'BUY' | 'SELL'
  price: number
  size: number
  best: readonly [number, number]
}

function changeFrame(atMs: number, changes: readonly Change[], market = BTC.conditionId) {
  const price_changes = changes.map(({ token, side, price, size, best: [bid, ask] }) => ({
    asset_id: token,
    side,
    price: String(price),
    size: String(size),
    hash: 'h',
    best_bid: String(bid),
    best_ask: String(ask),
  }))
  return { event_type: 'price_change', market, timestamp: String(atMs), price_changes }
}

const upBook = (atMs: number) => bookOf(BTC.tokens.up, atMs, [[0.52, 100]], [[0.54, 50]])
const downBook = (atMs: number) => bookOf(BTC.tokens.down, atMs, [[0.46, 50]], [[0.48, 100]])

/** Both books as REST has them and as the connection tells them. */
async function openWithBooks() {
  const script = await openScript()
  const atMs = script.clock.now()
  for (const book of [upBook(atMs), downBook(atMs)]) script.books.set(book.tokenId, book)
  script.sockets.last().accept()
  script.sockets.last().say([bookFrame(upBook(atMs)), bookFrame(downBook(atMs))])
  return script
}

test('shows a market once both books are whole, with a version that rises with every change', async () => {
  const { clock, feed, sockets } = await openScript()
  expect(feed.open('BTC')).toBeUndefined()
  expect(feed.missing('BTC')).toContain('UP: unknown, DOWN: unknown')
  expect(feed.missing('ETH')).toBe('the venue has not named the ETH market of this window yet')
  const connection = sockets.last()
  connection.accept()
  connection.say([bookFrame(upBook(clock.now() - 9_000))])
  expect(feed.open('BTC')).toBeUndefined()
  connection.say([bookFrame(downBook(clock.now() - 12_000))])
  const first = feed.open('BTC')
  // Old books that answer our request are true now.
  expect(first).toMatchObject({
    asOfMs: clock.now(),
    up: { bids: [[0.52, 100]] },
    market: { slug: BTC.slug },
  })
  expect(feed.open('BTC')).toBe(first)
  clock.advance(100)
  const change = { token: BTC.tokens.up, side: 'BUY', price: 0.53, size: 7, best: [0.53, 0.54] } as const
  connection.say(changeFrame(clock.now(), [change]))
  const second = feed.open('BTC')
  expect(second?.up.bids).toEqual([
    [0.53, 7],
    [0.52, 100],
  ])
  expect(second?.version).toBeGreaterThan(first?.version ?? 0)
  // The other book was not confirmed by that.
  expect(second?.asOfMs).toBe(clock.now() - 100)
})

test('the market is as old as its last reading, whatever the books say, and takes no orders once it is over', async () => {
  const { clock, feed, sockets, pass } = await openWithBooks()
  const keepAlive = () => {
    sockets.last().say([bookFrame(upBook(clock.now())), bookFrame(downBook(clock.now()))])
  }
  await pass(15, keepAlive)
  const shown = feed.open('BTC')
  expect(clock.now() - (shown?.asOfMs ?? 0)).toBeLessThanOrEqual(1_000)
  expect(shown?.marketAsOfMs).toBe(START_MS)
  await pass(15, keepAlive)
  expect(feed.open('BTC')?.marketAsOfMs).toBe(START_MS + 20_000)
  expect(feed.market('BTC', OPEN_S)?.acceptingOrders).toBe(true)
  // The list still says that it does.
  await pass(180, keepAlive)
  expect(clock.now()).toBe((OPEN_S + WINDOW_S) * 1000)
  expect(feed.market('BTC', OPEN_S)?.acceptingOrders).toBe(false)
})

test('a tick that changes counts at once, for the market and for what follows', async () => {
  const { clock, feed, sockets } = await openWithBooks()
  const id = { event_type: 'tick_size_change', asset_id: BTC.tokens.up, market: BTC.conditionId }
  const fine = { token: BTC.tokens.up, side: 'BUY', price: 0.521, size: 7, best: [0.521, 0.54] } as const
  sockets.last().say({ ...id, old_tick_size: '0.01', new_tick_size: '0.001', timestamp: String(clock.now()) })
  expect(feed.open('BTC')?.market.tickSize).toBe(0.001)
  sockets.last().say(changeFrame(clock.now(), [fine]))
  expect(feed.open('BTC')?.up).toMatchObject({
    tickSize: 0.001,
    bids: [
      [0.521, 7],
      [0.52, 100],
    ],
  })
})

const WRONG: Record<string, { changes: readonly Change[]; doubt: string }> = {
  'a best price that is not ours': {
    changes: [{ token: BTC.tokens.up, side: 'BUY', price: 0.5, size: 7, best: [0.53, 0.54] }],
    doubt: 'mismatch',
  },
  'a price between two ticks': {
    changes: [{ token: BTC.tokens.up, side: 'BUY', price: 0.525, size: 7, best: [0.525, 0.54] }],
    doubt: 'off_tick',
  },
  'a bid above the best ask': {
    changes: [{ token: BTC.tokens.up, side: 'BUY', price: 0.6, size: 7, best: [0.6, 0.54] }],
    doubt: 'crossed',
  },
  'a size beyond all shares': {
    changes: [{ token: BTC.tokens.up, side: 'BUY', price: 0.52, size: 1e300, best: [0.52, 0.54] }],
    doubt: 'malformed',
  },
  'a price above a dollar': {
    changes: [{ token: BTC.tokens.up, side: 'SELL', price: 1.5, size: 7, best: [0.52, 0.54] }],
    doubt: 'malformed',
  },
}

test.each(Object.entries(WRONG))(
  'after %s the book is not shown until REST has set it right',
  async (_, wrong) => {
    const { clock, feed, sockets, asked, books, pass } = await openWithBooks()
    await pass(2)
    const before = asked.length
    sockets.last().say(changeFrame(clock.now(), wrong.changes))
    expect(feed.open('BTC')).toBeUndefined()
    expect(feed.missing('BTC')).toContain(`UP: ${wrong.doubt}`)
    books.set(BTC.tokens.up, upBook(clock.now()))
    await pass(1)
    expect(asked.length).toBe(before + 1)
    expect(feed.open('BTC')?.up.bids).toEqual([[0.52, 100]])
  },
)

test('where REST and the connection contradict each other, the book is not shown until a new connection tells it', async () => {
  const { clock, feed, sockets, pass } = await openWithBooks()
  const first = sockets.last()
  const change = { token: BTC.tokens.up, side: 'BUY', price: 0.5, size: 7, best: [0.53, 0.54] } as const
  // REST has not changed since, which the frame says it has.
  first.say(changeFrame(clock.now() + 1, [change]))
  await pass(6, () => expect(feed.open('BTC')).toBeUndefined())
  expect(first.isEnded()).toBe(true)
  await pass(1)
  sockets.last().accept()
  sockets.last().say([bookFrame(upBook(clock.now())), bookFrame(downBook(clock.now()))])
  expect(feed.open('BTC')?.up.bids).toEqual([[0.52, 100]])
})

test('a frame without a name may have been about any book; one of an unknown kind was not', async () => {
  const { feed, sockets } = await openWithBooks()
  sockets.last().say({ event_type: 'weather' })
  expect(feed.open('BTC')).toBeDefined()
  sockets.last().say({})
  expect(feed.missing('BTC')).toContain('UP: malformed, DOWN: malformed')
})

test('a frame that is seconds older than the last one puts its book in doubt', async () => {
  const { clock, feed, sockets } = await openWithBooks()
  const change = { token: BTC.tokens.up, side: 'BUY', price: 0.5, size: 7, best: [0.52, 0.54] } as const
  sockets.last().say(changeFrame(clock.now() - 2_001, [change]))
  expect(feed.missing('BTC')).toContain('UP: out_of_order')
})

test('books in doubt are asked for once a second in one request, however many there are', async () => {
  const { asked, feed, pass, rest, sockets } = await openScript()
  sockets.last().accept()
  await pass(20)
  expect(asked).toHaveLength(20)
  expect(new Set(asked[0]?.tokenIds)).toEqual(new Set([BTC.tokens.up, BTC.tokens.down]))
  rest.isDown = true
  await pass(60)
  const waits = asked.slice(20).map(({ atMs }, at, all) => atMs - (all[at - 1]?.atMs ?? atMs - 1_000))
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000)
  expect(Math.max(...waits)).toBeLessThanOrEqual(9_000)
  expect(waits.length).toBeLessThan(20)
  expect(feed.open('BTC')).toBeUndefined()
})

test('a quiet market is confirmed over REST every few seconds, without a connection too', async () => {
  const { clock, feed, pass, asked, books, sockets } = await openWithBooks()
  const ages: number[] = []
  const look = () => {
    ages.push(clock.now() - (feed.open('BTC')?.asOfMs ?? 0))
    // One change of one token in fifteen seconds shows that the venue is alive.
    if ((clock.now() - START_MS) % 15_000 === 0) books.set(BTC.tokens.up, upBook(clock.now()))
  }
  await pass(14, look)
  expect(Math.max(...ages)).toBeLessThanOrEqual(4_000)
  expect(asked.length).toBeLessThanOrEqual(6)
  sockets.last().close(1006)
  const before = asked.length
  await pass(30, look)
  expect(Math.max(...ages)).toBeLessThanOrEqual(4_000)
  // Nothing else tells of changes now.
  expect(asked.length - before).toBe(30)
})

test('a venue that repeats its last books is not taken to confirm them, on a new connection neither', async () => {
  const { clock, feed, pass, sockets, books } = await openWithBooks()
  const frozenMs = clock.now()
  const greet = () => {
    if (sockets.all.length === greeted) return
    greeted = sockets.all.length
    sockets.last().accept()
    sockets.last().say([bookFrame(upBook(frozenMs)), bookFrame(downBook(frozenMs))])
  }
  let greeted = sockets.all.length
  await pass(60, greet)
  expect(greeted).toBeGreaterThan(2)
  const frozen = feed.open('BTC')
  expect(frozen?.asOfMs).toBeGreaterThan(frozenMs + 15_000)
  expect(frozen?.asOfMs).toBeLessThanOrEqual(frozenMs + 20_000)
  expect(frozen?.up.atMs).toBe(frozenMs)
  books.set(BTC.tokens.down, downBook(clock.now()))
  await pass(2)
  expect(clock.now() - (feed.open('BTC')?.asOfMs ?? 0)).toBeLessThanOrEqual(2_000)
})

test('books that had not changed for long when we first saw them are as old as their last change', async () => {
  const { clock, feed, sockets } = await openScript()
  sockets.last().accept()
  sockets.last().say([bookFrame(upBook(clock.now() - 30_000)), bookFrame(downBook(clock.now() - 40_000))])
  expect(feed.open('BTC')?.asOfMs).toBe(clock.now() - 40_000)
})

test('a venue whose clock is far ahead is named as the cause, and followed again once it is right', async () => {
  const { clock, feed, pass, books, sockets } = await openScript()
  sockets.last().accept()
  let aheadMs = 30_000
  const tell = () => {
    const atMs = clock.now() + aheadMs
    for (const book of [upBook(atMs), downBook(atMs)]) books.set(book.tokenId, book)
    sockets.last().say([bookFrame(upBook(atMs)), bookFrame(downBook(atMs))])
  }
  await pass(60, () => {
    tell()
    expect(feed.open('BTC')).toBeUndefined()
  })
  tell()
  expect(feed.missing('BTC')).toBe(
    `the order book of ${BTC.slug} cannot be dated: the venue's clock is 30 s ahead of ours`,
  )
  // A new connection would not set it right.
  expect(sockets.all).toHaveLength(1)
  aheadMs = 10_000
  tell()
  expect(feed.open('BTC')?.asOfMs).toBe(clock.now())
})

test('a connection that leaves out what REST shows is replaced', async () => {
  const { clock, feed, pass, books, sockets } = await openWithBooks()
  const first = sockets.last()
  const trade = {
    event_type: 'last_trade_price',
    asset_id: BTC.tokens.up,
    market: BTC.conditionId,
    side: 'BUY',
  }
  let shares = 100
  // It is alive, but its changes do not come.
  await pass(10, () => {
    books.set(BTC.tokens.up, bookOf(BTC.tokens.up, clock.now(), [[0.52, ++shares]], [[0.54, 50]]))
    first.say({ ...trade, price: '0.53', size: '5', timestamp: String(clock.now()) })
  })
  expect(first.isEnded()).toBe(false)
  expect(feed.open('BTC')?.up.bids[0]?.[1]).toBeGreaterThan(104)
  await pass(8, () => first.say({ ...trade, price: '0.53', size: '5', timestamp: String(clock.now()) }))
  expect(first.isEnded()).toBe(true)
  expect(sockets.all.length).toBeGreaterThan(1)
})

test('the next window is followed before it opens, and shown from its first second', async () => {
  const { clock, feed, sockets, pass } = await openWithBooks()
  const connection = sockets.last()
  const tokens = [NEXT.tokens.up, NEXT.tokens.down]
  const nextBook = (tokenId: string) => ({ ...upBook(clock.now()), tokenId, conditionId: NEXT.conditionId })
  const keepAlive = () =>
    connection.say(
      changeFrame(clock.now(), [
        { token: BTC.tokens.up, side: 'BUY', price: 0.52, size: 1, best: [0.52, 0.54] },
      ]),
    )
  await pass(149, keepAlive)
  expect(connection.sent.join()).not.toContain(tokens[0])
  await pass(2, keepAlive)
  expect(connection.sent.filter((text) => text !== 'PING').at(-1)).toBe(
    JSON.stringify({ assets_ids: tokens, operation: 'subscribe', custom_feature_enabled: true }),
  )
  for (const tokenId of tokens) connection.say(bookFrame(nextBook(tokenId)))
  const last = feed.open('BTC')
  await pass(59, keepAlive)
  const opened = feed.open('BTC')
  expect(opened?.market.slug).toBe(NEXT.slug)
  expect(opened?.version).toBeGreaterThan(last?.version ?? 0)
  await pass(122, () => connection.say(bookFrame(nextBook(NEXT.tokens.up))))
  expect(connection.sent.filter((text) => text.includes('unsubscribe')).at(-1)).toContain(BTC.tokens.up)
  expect(feed.health()).toMatchObject({ followed: 1, isConnected: true })
})

test('nothing that a connection says throws or poisons a book', async () => {
  const token = fc.constantFrom(BTC.tokens.up, BTC.tokens.down, NEXT.tokens.up, '1', '', null)
  const number = fc.oneof(
    fc.constantFrom(
      '0.5',
      '0.52',
      '0.53',
      '1',
      '0',
      '-1',
      '1e300',
      'NaN',
      'Infinity',
      '',
      null,
      0.5,
      '0.5255',
    ),
    fc.double(),
  )
  const time = fc.constantFrom(
    String(START_MS),
    String(START_MS + 5_000),
    '0',
    '99999999999999',
    'soon',
    null,
  )
  const row = fc.record({
    asset_id: token,
    side: fc.constantFrom('BUY', 'SELL', 'HOLD'),
    price: number,
    size: number,
    best_bid: number,
    best_ask: number,
  })
  const level = fc.record({ price: number, size: number })
  const market = fc.constantFrom(BTC.conditionId, NEXT.conditionId, 'x', null)
  const frame = fc.oneof(
    fc.record({
      event_type: fc.constant('price_change'),
      market,
      timestamp: time,
      price_changes: fc.array(row, { maxLength: 4 }),
    }),
    fc.record({
      event_type: fc.constant('book'),
      market,
      asset_id: token,
      timestamp: time,
      bids: fc.array(level),
      asks: fc.array(level),
      tick_size: number,
    }),
    fc.record({
      event_type: fc.constant('tick_size_change'),
      market,
      asset_id: token,
      timestamp: time,
      new_tick_size: number,
    }),
    fc.record({
      event_type: fc.constantFrom('market_resolved', 'last_trade_price', 'new'),
      market,
      asset_id: token,
      price: number,
      timestamp: time,
    }),
    fc.anything(),
  )
  const { clock, feed, sockets, pass } = await openWithBooks()
  fc.assert(
    fc.property(fc.oneof(frame, fc.array(frame, { maxLength: 3 })), (said) => {
      if (clock.now() < START_MS + 5_000) clock.advance(1)
      sockets
        .last()
        .say(
          JSON.stringify(said, (_, value) => (typeof value === 'bigint' ? String(value) : value)) ??
            'nothing',
        )
      const shown = feed.open('BTC')
      for (const book of shown ? [shown.up, shown.down] : []) {
        const levels = [...book.bids, ...book.asks].flat()
        expect(levels.every((value) => Number.isFinite(value) && value > 0)).toBe(true)
        expect(book.bids[0]?.[0] ?? 0).toBeLessThan(book.asks[0]?.[0] ?? 1)
      }
    }),
    { numRuns: searchSize('book-runs') * 4 },
  )
  await pass(20)
  expect(feed.open('BTC')?.up).toMatchObject({ bids: [[0.52, 100]], asks: [[0.54, 50]] })
})

test('a refresh reads the open and the next window of every coin at once', async () => {
  const { feed, pass, clock } = await openWithBooks()
  await pass(3)
  const readMs = () => feed.open('BTC')?.marketAsOfMs
  expect(readMs()).toBeLessThan(clock.now())
  expect(feed.refresh()).toBe(8)
  await pass(0)
  for (let turns = 0; feed.isBusy && turns < 50; turns++) await Promise.resolve()
  expect(readMs()).toBe(clock.now())
})

test('the connection is replaced when the operator asks for it', async () => {
  const { feed, pass, sockets } = await openWithBooks()
  const first = sockets.last()
  expect(feed.reconnect()).toBe(true)
  expect(first.isEnded()).toBe(true)
  expect(feed.reconnect()).toBe(false)
  await pass(2)
  expect(sockets.all).toHaveLength(2)
})
