import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MINUTE_MS } from '../core/time/time.ts'
import type { Trade } from '../feeds/events.ts'
import { createTradeRun } from '../feeds/trades/trade-run.ts'
import { createCandles } from './candles.ts'

/** When a minute begins. */
const START_MS = 1_000 * MINUTE_MS
const TRADES = 30
/** How ids and times go on from trade to trade: mostly by one and forwards. */
const step = fc.record({
  ids: fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, fc.constantFrom(2, 500, -40)),
  seconds: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 40 }) },
    fc.integer({ min: -150, max: 200 }),
  ),
})
type Step = { ids: number; seconds: number }

function hear(steps: readonly Step[]) {
  const run = createTradeRun()
  const candles = createCandles({ capacity: 500 })
  const heard = new Map<number, number>()
  let id = 1_000
  let atMs = START_MS
  for (const { ids, seconds } of steps) {
    id += ids
    atMs = Math.max(START_MS, atMs + seconds * 1_000)
    const trade = { id, atMs, price: 1, size: 1, side: 'buy', fills: 1 } as Trade
    run.apply(trade)
    candles.apply(trade)
    const openMs = atMs - (atMs % MINUTE_MS)
    heard.set(openMs, (heard.get(openMs) ?? 0) + 1)
  }
  return { run, candles: candles.last(500), heard }
}

test('a minute that the feed asks no venue for, because all its trades were heard, is final with all of them', () => {
  let whole = 0
  fc.assert(
    fc.property(fc.array(step, { maxLength: TRADES }), (steps) => {
      const { run, candles, heard } = hear(steps)
      for (const { openMs, isFinal, trades } of candles) {
        if (isFinal) expect(trades).toBe(heard.get(openMs) ?? 0)
        if (!run.covers(openMs, openMs + MINUTE_MS)) continue
        expect(isFinal).toBe(true)
        whole++
      }
    }),
    { numRuns: 3_000 },
  )
  expect(whole).toBeGreaterThan(1_000)
})
