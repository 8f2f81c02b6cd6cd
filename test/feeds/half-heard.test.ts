import { describe, expect, test } from 'vitest'
import type { ProviderName } from '../../src/config/providers.ts'
import { MINUTE_MS } from '../../src/core/time/time.ts'
import { WINDOW_S } from '../../src/core/time/window.ts'
import type { Internet } from '../../src/sandbox/internet.ts'
import type { Channel, OutageKind } from '../../src/sandbox/providers/outages.ts'
import { searchSize } from '../../src/testing/search-size.ts'
import { createSeeded } from '../../src/testing/seeded.ts'
import { compareWithVenue } from './venue-truth.ts'
import { openWorld, START_MS } from './world.ts'

/** The market has traded for so long when the service starts. */
const LATER_MS = START_MS + 12 * MINUTE_MS
const STEP_MS = 1_000
const COMMIT_LEAD_MS = 3_000
const BOTH: readonly Channel[] = ['rest', 'socket']

/** Away from `fromMs` to `toMs` after the start, by default broken on both its channels. */
type Cut = {
  provider: ProviderName
  fromMs: number
  toMs: number
  kind?: OutageKind
  channels?: readonly Channel[]
}

type Options = { cuts?: readonly Cut[]; hasPastTrades?: boolean }

/** Runs the service against the venues, and compares each second what it says with what their own minutes say. */
async function run(startMs: number, spanMs: number, { cuts = [], hasPastTrades = true }: Options = {}) {
  const comparison = compareWithVenue()
  const prepare = ({ outages }: Internet) => {
    if (!hasPastTrades) outages.set('binance', 'rest', { kind: 'error', path: 'aggTrades' })
  }
  await using world = await openWorld({ startMs, spy: comparison.spy, prepare })
  for (let passedMs = STEP_MS; passedMs <= spanMs; passedMs += STEP_MS) {
    const isDue = (ms: number) => passedMs - STEP_MS < ms && passedMs >= ms
    for (const { provider, fromMs, toMs, kind = 'reset', channels = BOTH } of cuts)
      for (const channel of channels) {
        if (isDue(fromMs)) world.internet.outages.set(provider, channel, { kind })
        if (isDue(toMs)) world.internet.outages.set(provider, channel)
      }
    const nowMs = startMs + passedMs
    await world.stepTo(nowMs)
    comparison.look()
    if ((nowMs + COMMIT_LEAD_MS) % (WINDOW_S * 1000) < STEP_MS)
      comparison.lookAtPrediction(Math.floor((nowMs + COMMIT_LEAD_MS) / 1000))
  }
  comparison.stop()
  return comparison
}

/** The first of each kind in every run of the tests, and some more; `npm run search` tries all. */
const share = <T>(cases: readonly T[]): T[] =>
  cases.filter((_, at) => at % searchSize('half-heard-step') === 0)

describe('what is sold as whole is what the venue’s own minutes say', () => {
  test.each(
    share([
      [1_500, false],
      [0, true],
      [2_900, true],
      [3_100, false],
      [59_500, false],
    ] as [number, boolean][]),
  )('started %d ms into a minute, past trades readable: %s', async (ms, hasPastTrades) => {
    const { wrong, counts } = await run(LATER_MS + ms, 4 * MINUTE_MS, { hasPastTrades })
    expect(wrong.slice(0, 3)).toEqual([])
    expect(counts.compared).toBeGreaterThan(100)
    expect(counts.predicted).toBe(4)
  })

  test.each(
    share([
      ['binance', 40, 65],
      ['binance', 58, 62],
      ['binance', 40, 100],
      ['binance', 10, 200],
      ['coinbase', 40, 65],
    ] as const),
  )('with %s away from second %d to second %d', async (provider, fromS, toS) => {
    const cuts = [{ provider, fromMs: MINUTE_MS + fromS * 1000, toMs: MINUTE_MS + toS * 1000 }]
    const { wrong, counts } = await run(LATER_MS, 8 * MINUTE_MS, { cuts })
    expect(wrong.slice(0, 3)).toEqual([])
    expect(counts.compared).toBeGreaterThan(400)
    expect(counts.predicted + counts.missed).toBe(8)
  })

  test.each(
    share([
      ['silent', 9_600, 6_000],
      ['silent', 6_500, 1_000],
      ['silent', 40_000, 6_000],
      ['hang', 40_000, 6_000],
    ] as const),
  )(
    'with a socket that is %s from %d ms before a window to %d ms after its opening',
    async (kind, beforeMs, afterMs) => {
      const windowMs = 3 * MINUTE_MS
      const cut: Cut = {
        provider: 'binance',
        fromMs: windowMs - beforeMs,
        toMs: windowMs + afterMs,
        kind,
        channels: ['socket'],
      }
      const { wrong, counts } = await run(LATER_MS, 4 * MINUTE_MS, { cuts: [cut] })
      expect(wrong.slice(0, 3)).toEqual([])
      expect(counts.predicted + counts.missed).toBe(4)
      expect(counts.missed).toBeGreaterThan(0)
    },
  )

  test.each(Array.from({ length: searchSize('cuts') }, (_, seed) => seed))(
    'with either venue away at random, started at a random second, seed %d',
    async (seed) => {
      const { fraction } = createSeeded(seed)
      const spanMs = 10 * MINUTE_MS
      const cuts: Cut[] = []
      for (let fromMs = fraction() * 2 * MINUTE_MS; fromMs < spanMs - 2 * MINUTE_MS; ) {
        const toMs = fromMs + 1_000 + fraction() * 40_000
        cuts.push({ provider: fraction() < 0.7 ? 'binance' : 'coinbase', fromMs, toMs })
        fromMs = toMs + fraction() * 2 * MINUTE_MS
      }
      const startMs = LATER_MS + Math.floor(fraction() * MINUTE_MS)
      const { wrong, counts } = await run(startMs, spanMs, { cuts })
      console.info(`half-heard minutes, seed ${seed}: ${JSON.stringify(counts)}, ${cuts.length} cuts`)
      expect(wrong.slice(0, 3)).toEqual([])
      expect(counts.compared).toBeGreaterThan(counts.missing + counts.abstained)
      expect(counts.predicted + counts.missed).toBe(8)
    },
  )
})
