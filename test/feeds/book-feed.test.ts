import { expect, test } from 'vitest'
import { createBookFeed } from '../../src/feeds/books/book-feed.ts'
import { BookSequenceError, type RawBook } from '../../src/feeds/venues/venue-client.ts'
import { createScriptedVenue, feedOptions, START_MS, settle } from './scripted-venue.ts'

function bookOf(bid: number, ask: number, atMs: number | undefined): RawBook {
  return { bids: [[bid, 1]], asks: [[ask, 1]], atMs }
}

async function start() {
  const venue = createScriptedVenue()
  const options = feedOptions(venue, 'book')
  const feed = createBookFeed(options)
  void feed.run()
  const say = async (bid: number, ask: number, atMs = venue.clock.now()) => {
    venue.books.say(bookOf(bid, ask, atMs))
    await settle()
  }
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 1_000) {
      venue.clock.advance(1_000)
      feed.check()
      await settle()
    }
  }
  await settle()
  return { ...venue, ...options, feed, say, pass }
}

test('a good book is handed on with the time of its last change', async () => {
  const { heard, books, say, gauge } = await start()
  books.say(bookOf(100, 101, undefined))
  await settle()
  expect(heard.books).toEqual([])
  await say(100, 101, START_MS - 40)
  expect(heard.books).toMatchObject([{ bids: [[100, 1]], asks: [[101, 1]], atMs: START_MS - 40 }])
  expect(gauge.read()).toMatchObject({ state: 'live', latencyMs: 40 })
})

test('a crossed book is never handed on: it is flagged and asked for anew', async () => {
  const { heard, calls, say, pass, gauge } = await start()
  await say(100, 101)
  await say(102, 101)
  expect(heard.books).toHaveLength(1)
  expect(heard.lost).toEqual(['crossed'])
  expect(calls).toEqual(['resync'])
  await pass(1_000)
  expect(gauge.state).toBe('resyncing')
  await say(100, 101)
  expect(heard.books).toHaveLength(2)
  expect(gauge.state).toBe('live')
})

test('a lost change puts the book in doubt at once, and it is asked for anew after a wait', async () => {
  const { heard, books, calls, say, pass, gauge } = await start()
  await say(100, 101)
  books.fail(new BookSequenceError('test'))
  await settle()
  expect([heard.lost, calls, gauge.state]).toEqual([['sequence'], ['resync'], 'backoff'])
  await pass(1_000)
  await say(100, 101)
  expect(heard.books).toHaveLength(2)
})

test('a book on its way when the stream is given up is not handed on', async () => {
  const { heard, books, clock, feed, say } = await start()
  await say(100, 101)
  clock.advance(15_000)
  books.say(bookOf(100, 101, START_MS))
  feed.check()
  await settle()
  expect(heard.books).toHaveLength(1)
  expect(heard.lost).toEqual(['stalled'])
})

test('a snapshot that does not help is followed by a new connection', async () => {
  const { calls, say, pass } = await start()
  for (let fault = 0; fault < 3; fault++) {
    await say(102, 101)
    await pass(5_000)
  }
  expect(calls).toEqual(['resync', 'resync', 'resync', 'restart book'])
})

test('silence is noticed: first the stream, then the connection is renewed', async () => {
  const { heard, calls, say, pass, gauge } = await start()
  await say(100, 101)
  await pass(14_000)
  expect(heard.lost).toEqual([])
  await pass(1_000)
  expect(heard.lost).toEqual(['stalled'])
  expect([gauge.state, ...calls]).toEqual(['stalled', 'resync'])
  await pass(15_000)
  expect(calls).toEqual(['resync', 'restart book'])
})

test('a good book is loaded again from time to time without being flagged', async () => {
  const { heard, calls, say, pass } = await start()
  for (let minute = 0; minute < 11; minute++) {
    await pass(10_000)
    await say(100, 101)
  }
  expect(calls).toEqual([])
  for (let spell = 0; spell < 60; spell++) {
    await pass(10_000)
    await say(100, 101)
  }
  expect(calls).toEqual(['refresh'])
  expect(heard.lost).toEqual([])
})
