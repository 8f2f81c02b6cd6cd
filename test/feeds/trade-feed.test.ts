import { expect, test } from 'vitest'
import { createTradeFeed } from '../../src/feeds/trades/trade-feed.ts'
import { MAX_REPAIR_TRADES } from '../../src/feeds/trades/trade-repair.ts'
import { createScriptedVenue, feedOptions, START_MS, settle, tradeOf } from './scripted-venue.ts'

async function start() {
  const venue = createScriptedVenue()
  venue.ledger.push(tradeOf(1))
  const options = feedOptions(venue, 'trades')
  const incomplete: [number, number][] = []
  const onIncomplete = (fromMs: number, toMs: number) => void incomplete.push([fromMs, toMs])
  const feed = createTradeFeed({ ...options, repairsGaps: true, onIncomplete })
  const running = feed.run()
  await settle()
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
  return { ...venue, ...options, feed, running, incomplete, say, pass, know }
}

test('it starts at the newest trade there is, and the minute it came into is read from candles', async () => {
  const { heard, incomplete } = await start()
  expect(heard.ids).toEqual([1])
  expect(heard.gaps).toHaveLength(1)
  expect(incomplete).toHaveLength(1)
})

test('trades that overtook each other are put in order without asking', async () => {
  const { heard, calls, say, pass } = await start()
  await say(3)
  await say(2, 2)
  await pass(1_000)
  expect(heard.ids).toEqual([1, 2, 3])
  expect(calls).toEqual(['latest'])
})

test('a lost trade is fetched, and what came after it waits', async () => {
  const { heard, gauge, calls, say, pass, know } = await start()
  know(2, 3, 4)
  await say(4)
  expect(heard.ids).toEqual([1])
  await pass(300)
  expect(heard.ids).toEqual([1, 2, 3, 4])
  expect(calls).toEqual(['latest', 'trades 2-3'])
  expect(gauge.read()).toMatchObject({ gapsRepaired: 1, gapsLost: 0 })
})

test('a hole that cannot be filled is given up after a while and said to be one', async () => {
  const { heard, gauge, incomplete, say, pass, setRestDown } = await start()
  setRestDown(true)
  await say(5)
  await pass(60_000)
  expect(heard.ids).toEqual([1, 5])
  expect(gauge.read()).toMatchObject({ gapsRepaired: 0, gapsLost: 1 })
  expect(heard.gaps.at(-1)).toMatchObject({ fromMs: START_MS + 1, toMs: START_MS + 5 })
  expect(incomplete).toHaveLength(2)
})

test('a hole too large to fill is passed over at once', async () => {
  const { heard, gauge, calls, say } = await start()
  const far = MAX_REPAIR_TRADES + 100
  await say(far)
  expect(heard.ids).toEqual([1])
  await say(far + 1)
  expect(heard.ids).toEqual([1, far, far + 1])
  expect(gauge.read().gapsLost).toBe(1)
  expect(calls).toEqual(['latest'])
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

test('errors are waited out, longer each time, and never end the stream', async () => {
  const { trades, gauge, heard, say, pass, aborter, running } = await start()
  for (let failure = 0; failure < 4; failure++) {
    trades.fail(new Error('closed'))
    await settle()
    expect(gauge.state).toBe('backoff')
    await pass(3_000)
    expect(gauge.state).toBe('connecting')
  }
  await say(2)
  expect(heard.ids).toEqual([1, 2])
  aborter.abort()
  trades.fail(new Error('closed by us'))
  await running
})
