import { expect, test } from 'vitest'
import type { Trade } from '../../src/feeds/events.ts'
import { createTradeFeed } from '../../src/feeds/trades/trade-feed.ts'
import { MAX_REPAIR_TRADES } from '../../src/feeds/trades/trade-repair.ts'
import { createScriptedVenue, feedOptions, START_MS, settle, tradeOf } from './scripted-venue.ts'

async function start(past: readonly Trade[] = [tradeOf(1)]) {
  const venue = createScriptedVenue()
  venue.ledger.push(...past)
  const options = feedOptions(venue, 'trades')
  const feed = createTradeFeed({ ...options, repairsGaps: true })
  const running = feed.run()
  await settle()
  const asked = venue.calls.splice(0)
  const say = async (...ids: number[]) => {
    venue.trades.say(ids.map((id) => tradeOf(id)))
    await settle()
  }
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      venue.clock.advance(100)
      if (passed % 1_000 === 0) feed.check()
      await settle()
    }
  }
  const know = (...ids: number[]) => void venue.ledger.push(...ids.map((id) => tradeOf(id)))
  return { ...venue, ...options, feed, running, asked, say, pass, know }
}

test('without older trades it starts at the newest', async () => {
  const { heard, asked } = await start()
  expect(asked).toEqual(['latest', 'trades 0-0'])
  expect(heard.ids).toEqual([1])
})

const MINUTE_MS = 60_000
/** `count` trades up to now, one every `everyMs`. */
const pastOf = (count: number, everyMs: number) =>
  Array.from({ length: count }, (_, id) => tradeOf(id, START_MS - (count - 1 - id) * everyMs))

test('it starts with the trades of ten whole minutes, page by page, and the one before them', async () => {
  const past = pastOf(2_500, 500)
  const { heard, asked } = await start(past)
  expect(asked).toEqual(['latest', 'trades 1499-2498', 'trades 499-1498'])
  const wanted = past.filter(({ atMs }) => atMs >= START_MS - 10 * MINUTE_MS - 500)
  expect(heard.ids).toEqual(wanted.map(({ id }) => id))
})

test('a busy pair is read less far back', async () => {
  const past = pastOf(15_000, 10)
  const { heard, asked } = await start(past)
  expect(asked).toHaveLength(11)
  expect(heard.ids).toEqual(past.slice(-10_001).map(({ id }) => id))
})

test('past trades with a hole are used only from behind it', async () => {
  const past = pastOf(500, 1_000).filter(({ id }) => id !== 300)
  const { heard } = await start(past)
  expect(heard.ids).toEqual(past.slice(300).map(({ id }) => id))
})

test('trades of the socket wait for those before them, but not for long', async () => {
  const venue = createScriptedVenue()
  const options = feedOptions(venue, 'trades')
  const feed = createTradeFeed({ ...options, repairsGaps: true })
  venue.setRestDown(true)
  void feed.run()
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      venue.clock.advance(1_000)
      feed.check()
      await settle()
    }
  }
  await pass(60)
  expect(venue.calls.length).toBeLessThan(20)
  venue.trades.say([tradeOf(7)])
  await pass(5)
  expect(options.heard.ids).toEqual([])
  venue.ledger.push(...[5, 6, 7].map((id) => tradeOf(id)))
  venue.setRestDown(false)
  await pass(10)
  expect(options.heard.ids).toEqual([5, 6, 7])
  options.aborter.abort()
})

test('where they cannot be read at all the socket’s trades are passed on after ten seconds', async () => {
  const { heard, trades, calls, pass } = await start([])
  trades.say([tradeOf(7), tradeOf(8)])
  await pass(9_000)
  expect(heard.ids).toEqual([])
  await pass(2_000)
  expect(heard.ids).toEqual([7, 8])
  calls.splice(0)
  await pass(10_000)
  expect(calls).toEqual([])
})

test('trades that overtook each other are put in order without asking', async () => {
  const { heard, calls, say, pass } = await start()
  await say(3)
  await say(2, 2)
  await pass(1_000)
  expect(heard.ids).toEqual([1, 2, 3])
  expect(calls).toEqual([])
})

test('a lost trade is fetched, what came after it waits, and meanwhile trades are in doubt', async () => {
  const { heard, gauge, calls, say, pass, know } = await start()
  know(2, 3, 4)
  await say(4)
  expect(heard.ids).toEqual([1])
  expect(heard.doubts).toHaveLength(1)
  await pass(300)
  expect(heard.ids).toEqual([1, 2, 3, 4])
  expect(calls).toEqual(['trades 2-3'])
  expect(gauge.read()).toMatchObject({ gapsRepaired: 1, gapsLost: 0 })
})

test('a hole that cannot be filled is given up after a while', async () => {
  const { heard, gauge, say, pass, setRestDown } = await start()
  setRestDown(true)
  await say(5)
  await pass(60_000)
  expect(heard.ids).toEqual([1, 5])
  expect(gauge.read()).toMatchObject({ gapsRepaired: 0, gapsLost: 1 })
})

test('a hole too large to fill is passed over at once', async () => {
  const { heard, gauge, calls, say } = await start()
  const far = MAX_REPAIR_TRADES + 100
  await say(far)
  expect(heard.ids).toEqual([1])
  await say(far + 1)
  expect(heard.ids).toEqual([1, far, far + 1])
  expect(gauge.read().gapsLost).toBe(1)
  expect(calls).toEqual([])
})

test('garbled ids that confirm each other hold the trades up for ten seconds, and are in doubt then', async () => {
  const { heard, gauge, calls, trades, say, pass, know } = await start()
  await say(2, 3)
  know(2, 3)
  trades.say([tradeOf(5e9, START_MS + 3), tradeOf(5e9 + 1, START_MS + 3)])
  await settle()
  for (let id = 4; id <= 18; id++) {
    know(id)
    await pass(1_000)
    await say(id)
  }
  expect(calls.filter((call) => call === 'latest')).toEqual(['latest'])
  expect(heard.ids).toEqual([1, 2, 3, 5e9, 5e9 + 1, 15, 16, 17, 18])
  expect(heard.doubts.map(({ atMs }) => atMs)).toEqual([START_MS + 11_000])
  expect(gauge.state).toBe('live')
})

test('garbled ids are in doubt while REST is down, and over within ten seconds of it', async () => {
  const { heard, trades, say, pass, know, setRestDown } = await start()
  await say(2, 3)
  know(2, 3)
  setRestDown(true)
  trades.say([tradeOf(5e9, START_MS + 3), tradeOf(5e9 + 1, START_MS + 3)])
  await settle()
  for (let id = 4; id <= 44; id++) {
    know(id)
    if (id === 34) setRestDown(false)
    await pass(1_000)
    await say(id)
  }
  expect(heard.doubts.length).toBeGreaterThanOrEqual(3)
  expect(heard.ids.at(-1)).toBe(44)
})

test('a venue that repeats old trades for minutes changes nothing', async () => {
  const { heard, say, pass, know } = await start()
  know(2)
  await say(2)
  for (let second = 0; second < 130; second++) {
    await pass(1_000)
    await say(1, 2)
  }
  know(3)
  await say(3)
  expect(heard.ids).toEqual([1, 2, 3])
})

test('silence is looked into: a quiet market is left alone, a dead socket is replaced', async () => {
  const { heard, calls, gauge, pass, know, say } = await start()
  await say(2)
  await pass(40_000)
  expect(calls.filter((call) => call.startsWith('restart'))).toEqual([])
  know(2, 3, 4)
  await pass(40_000)
  know(5)
  await pass(20_000)
  expect(heard.ids).toEqual([1, 2, 3, 4, 5])
  expect(calls.filter((call) => call.startsWith('restart'))).toEqual(['restart trades'])
  expect(gauge.read().reconnects).toBe(1)
})

test('a subscription that never delivers is replaced, and what it should have delivered is fetched', async () => {
  const { heard, calls, pass, know } = await start()
  for (let id = 2; id <= 5; id++) {
    know(id)
    await pass(15_000)
  }
  await pass(5_000)
  expect(heard.ids).toEqual([1, 2, 3, 4, 5])
  expect(calls).toContain('restart trades')
})

test('without a first trade too a subscription that never delivers is replaced', async () => {
  const { heard, calls, pass, know } = await start([])
  await pass(40_000)
  expect(calls.filter((call) => call.startsWith('restart'))).toEqual([])
  for (let id = 7; id <= 10; id++) {
    know(id)
    await pass(15_000)
  }
  await pass(5_000)
  expect(heard.ids).toEqual([7, 8, 9, 10])
  expect(calls).toContain('restart trades')
})

test('with REST down a subscription that never delivered is renewed after a minute, but not the connection', async () => {
  const { calls, setRestDown, pass } = await start([])
  setRestDown(true)
  await pass(55_000)
  expect(calls).not.toContain('resubscribe trades')
  await pass(45_000)
  expect(calls).toContain('resubscribe trades')
  expect(calls).not.toContain('restart trades')
})

test('errors are waited out, longer each time, and never end the stream', async () => {
  const { trades, gauge, heard, say, pass, aborter, running } = await start()
  for (let failure = 0; failure < 4; failure++) {
    trades.fail(new Error('closed'))
    await settle()
    expect(gauge.state).toBe('backoff')
    expect(heard.doubts).toHaveLength(failure + 1)
    await pass(3_000)
    expect(gauge.state).toBe('connecting')
  }
  await say(2)
  expect(heard.ids).toEqual([1, 2])
  aborter.abort()
  trades.fail(new Error('closed by us'))
  await running
})
