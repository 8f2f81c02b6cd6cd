import { expect, test } from 'vitest'
import { COINS } from '../../src/core/coin.ts'
import { MINUTE_MS } from '../../src/core/time/time.ts'
import { WINDOW_S } from '../../src/core/time/window.ts'
import { searchSize } from '../../src/testing/search-size.ts'
import { createSeeded } from '../../src/testing/seeded.ts'
import type { FiveMinuteMarket } from '../../src/upstreams/polymarket/five-minute-market.ts'
import { createDayAudit } from './day-audit.ts'
import { createTrouble } from './day-trouble.ts'
import { openPredictionWorld, type PredictionWorld, START_MS } from './feed-world.ts'

const MINUTES = searchSize('prediction-minutes')
const SEED = 3
/** A dispute of twenty minutes, and the time that we may need to hear of its end. */
const SETTLED_AFTER_MS = 32 * MINUTE_MS
/** As long as the windows that closed last may need. */
const QUIET_END_MS = Math.min(MINUTES, 10) * 12_000

test(`${MINUTES} minutes of drops, delays, refusals, late and disputed outcomes`, {
  timeout: 3_600_000,
}, async () => {
  const world: { current?: PredictionWorld } = {}
  const here = () => world.current ?? expect.fail('too early')
  const trouble = createTrouble({
    seeded: createSeeded(SEED),
    internet: () => here().internet,
    venue: () => here().venue,
    startMs: START_MS,
  })
  await using opened = await openPredictionWorld({
    seed: SEED,
    tamper: trouble.tamper,
    isHasty: () => trouble.wellSinceMs() === undefined,
  })
  world.current = opened
  const { open, clock, venue, internet } = opened
  const told: FiveMinuteMarket[] = []
  open.fiveMinute.onResolved((market) => told.push(market))
  const audit = createDayAudit(opened, trouble)

  await opened.pass(MINUTES * MINUTE_MS, () => {
    audit.check()
    trouble.advanceTo(clock.now())
  })
  trouble.end()
  await opened.pass(QUIET_END_MS, audit.check)

  const { seconds } = audit
  const all = seconds.fresh + seconds.old + seconds.missing
  expect(seconds.missingWhileWell).toBe(0)
  expect(seconds.fresh / all).toBeGreaterThan(0.8)
  for (const { provider, path, limit, largest, refused } of internet.usage())
    expect({ provider, path, isBelow: largest < limit, refused }).toEqual({
      provider,
      path,
      isBelow: true,
      refused: 0,
    })
  expect(findWrongOutcomes(told, opened)).toEqual([])
  expect(new Set(told.map(({ slug }) => slug)).size).toBe(told.length)
  expect(findUntold(told, opened)).toEqual([])
  const health = open.fiveMinute.health()
  expect(health.windows.watched).toBeLessThanOrEqual(COINS.length * (24 * 12 + 8))
  expect(health.followed).toBeLessThanOrEqual(COINS.length * 3)
  expect(venue.nowMs()).toBe(clock.now())
  // There was trouble of many kinds, and it was noticed.
  expect(trouble.counts().size).toBeGreaterThan(Math.min(20, MINUTES / 3))
  expect(health.checks.newer).toBeGreaterThan(0)
  expect(health.streams[0]?.reconnects).toBeGreaterThan(0)
})

/** UP wins if the 60-second price at the end is not below that at the start. */
function findWrongOutcomes(
  told: readonly FiveMinuteMarket[],
  { simulation }: PredictionWorld,
): readonly string[] {
  const priceAt = (coin: FiveMinuteMarket['coin'], second: number) =>
    simulation.oracle.at(coin, second).twap60Usd
  return told.flatMap(({ slug, coin, window, outcome }) =>
    outcome === (priceAt(coin, window.endS) >= priceAt(coin, window.startS) ? 'UP' : 'DOWN') ? [] : slug,
  )
}

/** Windows that the venue has resolved long enough ago, and of which we told nothing. */
function findUntold(told: readonly FiveMinuteMarket[], { venue, clock }: PredictionWorld): readonly string[] {
  const slugs = new Set(told.map(({ slug }) => slug))
  const firstS = START_MS / 1000 - WINDOW_S
  return venue.markets().flatMap(({ slug, series, resolvedMs = Number.POSITIVE_INFINITY, endsMs }) => {
    if (!series || slugs.has(slug) || series.windowStartS < firstS - (firstS % WINDOW_S)) return []
    // We read again after a quarter of the time since the end, at most five minutes.
    const heardMs = resolvedMs + Math.max(5_000, Math.min(300_000, (resolvedMs - endsMs) * 0.25)) + 60_000
    return clock.now() > Math.min(heardMs, endsMs + SETTLED_AFTER_MS) ? slug : []
  })
}
