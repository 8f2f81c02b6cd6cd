import { pino } from 'pino'
import { expect, test } from 'vitest'
import { COINS, type Coin } from '../../core/coin.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time/time.ts'
import { WINDOW_S } from '../../core/time/window.ts'
import { fiveMinuteMarket } from '../../testing/prediction/five-minute-market.ts'
import { createSeeded } from '../../testing/seeded.ts'
import type { FiveMinuteMarket } from '../../upstreams/polymarket/five-minute-market.ts'
import { createWindowWatch } from './window-watch.ts'

const START_MS = Date.UTC(2026, 0, 5, 12, 1, 30)
const OPEN_S = Date.UTC(2026, 0, 5, 12) / 1000
/** Over days. */
const STEP_MS = 5 * SECOND_MS

type Venue = {
  /** When the outcome of a window is known, counted from its end. */
  resolvesAfterMs(coin: Coin, startS: number): number
  isDown(nowMs: number): boolean
  listedAheadMs: number
  hangs: boolean
}

function watchVenue(given: Partial<Venue> & { sinceS?: number } = {}) {
  const venue = {
    resolvesAfterMs: () => 54 * SECOND_MS,
    isDown: () => false,
    listedAheadMs: DAY_MS,
    hangs: false,
    ...given,
  }
  const clock = createManualClock(START_MS)
  const asked: { coin: Coin; startS: number; atMs: number }[] = []
  const resolved: { market: FiveMinuteMarket; atMs: number }[] = []
  const watch = createWindowWatch({
    clock,
    random: createSeeded(1).fraction,
    log: pino({ level: 'silent' }),
    sinceS: given.sinceS,
    lookup: {
      async fiveMinute(coin, startS) {
        const nowMs = clock.now()
        asked.push({ coin, startS, atMs: nowMs })
        if (venue.hangs) return new Promise(() => {})
        if (venue.isDown(nowMs)) throw new Error('down')
        if (startS * 1000 - nowMs > venue.listedAheadMs) return undefined
        const sinceEndMs = nowMs - (startS + WINDOW_S) * 1000
        const outcome = sinceEndMs >= venue.resolvesAfterMs(coin, startS) ? 'UP' : undefined
        const finalPrice = sinceEndMs >= venue.resolvesAfterMs(coin, startS) + MINUTE_MS ? 1 : undefined
        return fiveMinuteMarket({ coin, startS, outcome, finalPrice })
      },
    },
    onKnown() {},
    onResolved: (market) => resolved.push({ market, atMs: clock.now() }),
  })
  const pass = async (ms: number, stepMs = SECOND_MS) => {
    for (const untilMs = clock.now() + ms; clock.now() < untilMs; ) {
      clock.advance(stepMs)
      watch.tick()
      for (let turns = 0; watch.isBusy && turns < 20; turns++) await Promise.resolve()
    }
  }
  return { clock, watch, asked, resolved, pass }
}

const slugs = (resolved: readonly { market: FiveMinuteMarket }[]) => resolved.map(({ market }) => market.slug)

test('every window is known ten minutes ahead, and its outcome told once, soon after it is known', async () => {
  const { clock, watch, resolved, asked, pass } = watchVenue()
  await pass(2 * SECOND_MS)
  for (const coin of COINS)
    for (const ahead of [0, 1, 2]) expect(watch.find(coin, OPEN_S + ahead * WINDOW_S)).toBeDefined()
  await pass(2 * HOUR_MS)
  // Those before the start, too: the window that closed a minute and a half before it.
  expect(resolved).toHaveLength(COINS.length * 25)
  expect(new Set(slugs(resolved)).size).toBe(resolved.length)
  const delaysMs = resolved.slice(COINS.length).map(({ market, atMs }) => atMs - market.window.endS * 1000)
  expect(Math.max(...delaysMs)).toBeLessThanOrEqual(70 * SECOND_MS)
  const perMinute = asked.length / ((clock.now() - START_MS) / MINUTE_MS)
  expect(perMinute).toBeLessThan(35)
})

test('a window that is listed late is known within seconds of it', async () => {
  const { watch, pass } = watchVenue({ listedAheadMs: 30 * SECOND_MS })
  await pass(3 * MINUTE_MS - 1)
  expect(watch.find('BTC', OPEN_S + WINDOW_S)).toBeUndefined()
  await pass(6 * SECOND_MS)
  for (const coin of COINS) expect(watch.find(coin, OPEN_S + WINDOW_S)).toBeDefined()
})

test('an open market is read every half minute, and at every second of the last six: then orders stop', async () => {
  const { clock, watch, asked, pass } = watchVenue()
  await pass(2 * SECOND_MS)
  const endMs = (OPEN_S + WINDOW_S) * 1000
  const oldestMs = { before: 0, last: 0 }
  while (clock.now() < endMs - SECOND_MS) {
    await pass(SECOND_MS)
    const ageMs = clock.now() - (watch.find('XRP', OPEN_S)?.asOfMs ?? 0)
    const phase = clock.now() >= endMs - 6 * SECOND_MS ? 'last' : 'before'
    oldestMs[phase] = Math.max(oldestMs[phase], ageMs)
  }
  expect(oldestMs.before).toBeLessThanOrEqual(20 * SECOND_MS)
  expect(oldestMs.last).toBe(0)
  expect(asked.filter(({ atMs }) => atMs >= endMs - 7 * SECOND_MS).length).toBeLessThanOrEqual(
    8 * COINS.length,
  )
})

test('what was found is as old as its request', async () => {
  const clock = createManualClock(START_MS)
  let answer = () => {}
  const known: number[] = []
  const watch = createWindowWatch({
    clock,
    random: () => 0,
    log: pino({ level: 'silent' }),
    sinceS: OPEN_S,
    lookup: {
      fiveMinute: (coin, startS) =>
        new Promise((resolve) => {
          if (coin === 'BTC' && startS === OPEN_S) answer = () => resolve(fiveMinuteMarket({ coin, startS }))
        }),
    },
    onKnown: (_, asOfMs) => known.push(asOfMs),
    onResolved() {},
  })
  watch.tick()
  clock.advance(7_000)
  answer()
  for (let turns = 0; turns < 20; turns++) await Promise.resolve()
  expect([known, watch.find('BTC', OPEN_S)?.asOfMs]).toEqual([[START_MS], START_MS])
})

test('outcomes that are eight minutes late, or disputed for hours, are told when they come', async () => {
  const { resolved, pass } = watchVenue({
    resolvesAfterMs: (coin) =>
      ({ BTC: 8 * MINUTE_MS, ETH: 5 * HOUR_MS, SOL: 23 * HOUR_MS, XRP: 20_000 })[coin],
  })
  await pass(30 * HOUR_MS, STEP_MS)
  const delays = (coin: Coin) =>
    resolved.flatMap(({ market, atMs }) => (market.coin === coin ? atMs - market.window.endS * 1000 : []))
  expect(Math.max(...delays('XRP').slice(1))).toBeLessThanOrEqual(40 * SECOND_MS)
  expect(Math.max(...delays('BTC'))).toBeLessThanOrEqual(11 * MINUTE_MS)
  expect(Math.max(...delays('ETH'))).toBeLessThanOrEqual(5 * HOUR_MS + 6 * MINUTE_MS)
  expect(Math.max(...delays('SOL'))).toBeLessThanOrEqual(23 * HOUR_MS + 6 * MINUTE_MS)
  // The last one may be resolved after it was last read.
  expect(delays('SOL').length).toBeGreaterThanOrEqual(7 * 12)
  expect(new Set(slugs(resolved)).size).toBe(resolved.length)
})

test('nothing is watched for longer than a day, and never too much is asked', async () => {
  const { watch, asked, pass } = watchVenue({ resolvesAfterMs: () => Number.POSITIVE_INFINITY })
  await pass(26 * HOUR_MS, 4 * STEP_MS)
  expect(watch.counts().watched).toBeLessThanOrEqual(COINS.length * (24 * 12 + 6))
  expect(watch.counts().resolved).toBe(0)
  const perTenSeconds = new Map<number, number>()
  for (const { atMs } of asked) {
    const at = Math.floor(atMs / 10_000)
    perTenSeconds.set(at, (perTenSeconds.get(at) ?? 0) + 1)
  }
  expect(Math.max(...perTenSeconds.values())).toBeLessThanOrEqual(80)
})

test('after an outage, and after a sleep of hours, every window in between gets its outcome', async () => {
  const { clock, resolved, pass } = watchVenue({
    isDown: (nowMs) => nowMs > START_MS + 10 * MINUTE_MS && nowMs < START_MS + 70 * MINUTE_MS,
  })
  await pass(80 * MINUTE_MS)
  // A machine that was suspended: the clock jumps.
  clock.advanceTo(clock.now() + 3 * HOUR_MS)
  await pass(10 * MINUTE_MS)
  const perCoin = (90 + 180) / 5 + 1
  expect(resolved).toHaveLength(COINS.length * perCoin)
  expect(new Set(slugs(resolved)).size).toBe(resolved.length)
})

test('after a restart, outcomes are told from a given window on', async () => {
  const { resolved, pass } = watchVenue({ sinceS: OPEN_S - 20 * WINDOW_S })
  await pass(1 * MINUTE_MS)
  expect(slugs(resolved).sort()).toEqual(
    COINS.flatMap((coin) =>
      Array.from(
        { length: 20 },
        (_, index) => `${coin.toLowerCase()}-updown-5m-${OPEN_S - (index + 1) * WINDOW_S}`,
      ),
    ).sort(),
  )
})

test('no more than eight requests are under way, and what is not about the window that was asked for is not taken', async () => {
  const hanging = watchVenue({ hangs: true })
  await hanging.pass(1 * MINUTE_MS)
  expect(hanging.asked).toHaveLength(8)

  const clock = createManualClock(START_MS)
  const watch = createWindowWatch({
    clock,
    random: () => 0,
    log: pino({ level: 'silent' }),
    lookup: { fiveMinute: async (_, startS) => fiveMinuteMarket({ coin: 'BTC', startS, outcome: 'UP' }) },
    onKnown() {},
    onResolved: ({ coin }) => expect(coin).toBe('BTC'),
  })
  watch.tick()
  for (let turns = 0; turns < 20; turns++) await Promise.resolve()
  expect([watch.find('BTC', OPEN_S)?.value.coin, watch.find('ETH', OPEN_S)]).toEqual(['BTC', undefined])
})
