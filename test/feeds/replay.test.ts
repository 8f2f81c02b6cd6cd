import { afterAll, beforeAll, expect, test } from 'vitest'
import { searchSize } from '../../src/testing/search-size.ts'
import { createSeeded } from '../../src/testing/seeded.ts'
import { createBadNetwork } from './bad-network.ts'
import { candlesOf, oracleOf, oracleTicksOf, type Replay, replay, tradesOf } from './replay.ts'

const SPAN_MS = searchSize('replay-minutes') * 60_000
const PLANTED_SPAN_MS = 5 * 60_000
const DISCONNECT_EVERY_MS = 5 * 60_000

let clean: Replay
const unhandled: unknown[] = []
const onUnhandled = (reason: unknown) => unhandled.push(reason)
beforeAll(async () => {
  process.on('unhandledRejection', onUnhandled)
  clean = await replay({ spanMs: SPAN_MS })
})
afterAll(() => void process.off('unhandledRejection', onUnhandled))

test('a good line is taken as it is: nothing lost, nothing repaired, every book true', () => {
  expect([sum(clean, 'reconnects'), sum(clean, 'gapsRepaired'), clean.lost.size]).toEqual([0, 0, 0])
  expect(clean.books).toMatchObject({ binance: { wrong: 0 }, coinbase: { wrong: 0 } })
  expect(Object.values(candlesOf(clean, SPAN_MS)).map(({ length }) => length)).toEqual(
    Array(8).fill(SPAN_MS / 60_000),
  )
  expect(oracleOf(clean)).toHaveLength(oracleTicksOf(SPAN_MS))
})

test('a bad line changes no trade and no candle, hides no crossed book and leaves no rejection behind', async () => {
  const network = createBadNetwork(createSeeded(7).fraction)
  const bad = await replay({ spanMs: SPAN_MS, network, disconnectEveryMs: DISCONNECT_EVERY_MS })
  report(bad, network.counts)
  expect(Math.min(...Object.values(network.counts))).toBeGreaterThan(0)
  expect(tradesOf(bad, SPAN_MS)).toEqual(tradesOf(clean, SPAN_MS))
  expect(candlesOf(bad, SPAN_MS)).toEqual(candlesOf(clean, SPAN_MS))
  expect(oracleOf(bad)).toEqual(oracleOf(clean))
  expect(sum(bad, 'gapsRepaired')).toBeGreaterThan(0)
  expect(sum(bad, 'gapsLost')).toBe(0)
  // Binance numbers its changes, so a book shown as good is the venue's own. Coinbase does not: a lost change
  // there shows only once the book crosses.
  expect(bad.books).toMatchObject({ binance: { crossed: 0, wrong: 0 }, coinbase: { crossed: 0 } })
  expect(bad.lost.get('crossed')).toBeGreaterThan(0)
  expect(bad.lost.get('sequence')).toBeGreaterThan(0)
  expect(unhandled).toEqual([])
})

test('without repair the same line does lose trades, and half-heard minutes are the venue’s own all the same', async () => {
  const network = createBadNetwork(createSeeded(7).fraction)
  const bad = await replay({ spanMs: PLANTED_SPAN_MS, network, repairsGaps: false })
  expect(tradesOf(bad, PLANTED_SPAN_MS)).not.toEqual(tradesOf(clean, PLANTED_SPAN_MS))
  expect(candlesOf(bad, PLANTED_SPAN_MS)).toEqual(candlesOf(clean, PLANTED_SPAN_MS))
})

const COUNTERS = ['gapsRepaired', 'gapsLost', 'reconnects', 'malformed', 'resyncs', 'duplicates'] as const

function sum({ health }: Replay, counter: (typeof COUNTERS)[number]): number {
  return health.streams.reduce((total, stream) => total + stream[counter], 0)
}

function report(bad: Replay, faults: Record<string, number>): void {
  const wallS = [clean, bad].map(({ wallMs }) => Math.round(wallMs / 1000))
  const told = (counts: Iterable<[string, number]>) =>
    [...counts].map(([name, count]) => `${count} ${name}`).join(', ')
  const counters = COUNTERS.map((counter): [string, number] => [counter, sum(bad, counter)])
  console.info(
    `replay: ${SPAN_MS / 60_000} minutes in ${wallS.join(' and ')} s; faults: ${told(Object.entries(faults))}; feeds: ${told(counters)}; books in doubt: ${told(bad.lost)}`,
  )
}
