import { expect, test } from 'vitest'
import { openWorld, START_MS } from './world.ts'

test('a venue that falls silent with its sockets open is noticed by the age of its data, and comes back', async () => {
  let isSilent = false
  await using world = await openWorld({
    tamper: ({ venue, text }) => (isSilent && venue === 'coinbase' ? [] : [text]),
    hasOracleKeys: false,
  })
  const { market, feeds } = world
  let passedMs = 0
  const pass = async (ms: number) => {
    for (const untilMs = passedMs + ms; passedMs < untilMs; ) {
      passedMs += 5_000
      await world.stepTo(START_MS + passedMs)
    }
  }
  const bookStates = () =>
    feeds.health().streams.flatMap(({ kind, source, state }) => (kind === 'book' ? `${source} ${state}` : []))

  await pass(90_000)
  expect(market.price('BTC')?.source).toBe('coinbase_mid')
  expect(bookStates()).not.toContain('coinbase stalled')
  const oracle = market.oracle('BTC').last
  expect(oracle.twap_60s).toMatchObject({ source: 'coinbase_derived', atMs: START_MS + passedMs })

  isSilent = true
  await pass(25_000)
  expect(bookStates().filter((state) => state === 'coinbase live')).toEqual([])
  expect(bookStates().filter((state) => state === 'binance live')).toHaveLength(4)
  const fallback = market.price('BTC')
  expect(fallback).toMatchObject({ source: 'binance_mid_less_basis', asOfMs: START_MS + passedMs })
  expect(market.book('coinbase', 'BTC')?.fault).toBe('disconnected')

  // A connection that says nothing at all is replaced.
  const reconnects = feeds
    .health()
    .streams.flatMap((stream) =>
      stream.kind === 'trades' && stream.source === 'coinbase' ? stream.reconnects : [],
    )
  expect(Math.min(...reconnects)).toBeGreaterThan(0)

  isSilent = false
  await pass(90_000)
  expect(market.price('BTC')?.source).toBe('coinbase_mid')
  expect(bookStates().filter((state) => state === 'coinbase live')).toHaveLength(4)
  expect(market.book('coinbase', 'BTC')?.fault).toBeUndefined()
})
