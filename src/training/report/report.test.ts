import { expect, test } from 'vitest'
import { createRandomStream } from '../../core/math/random.ts'
import { REGIMES } from '../../signals/signal.ts'
import type { OutOfSample } from '../walk-forward.ts'
import { reportOf } from './report.ts'
import { reportText } from './report-text.ts'

const START_S = Date.UTC(2023, 11, 30) / 1000
const random = createRandomStream('report', 'rows')

/** Four days over the turn of a year; what is said of BTC is right by construction, of ETH it is a coin. */
const rows: OutOfSample[] = Array.from({ length: 4 * 288 }, (_, at) => at).flatMap((at) =>
  (['BTC', 'ETH'] as const).map((coin, which) => {
    const isUp = random.uniform(2 * at + which) < 0.5
    return {
      coin,
      offsetS: 0,
      windowStartS: START_S + 300 * at,
      probabilityUp: coin === 'ETH' ? 0.5 : isUp ? 0.9 : 0.1,
      isUp,
      diffusion: 0.5,
      hourVolatility: at,
      regime: REGIMES[at % 2 === 0 ? 1 : 4] ?? 'neutral',
      model: 0,
    }
  }),
)
const [start] = reportOf(rows)
const of = (by: string) => start?.groups.filter((group) => group.by === by) ?? []

test('groups split the windows without losing or doubling one', () => {
  for (const by of ['coin', 'regime', 'volatility', 'year'])
    expect(of(by).reduce((sum, { scores }) => sum + scores.count, 0)).toBe(rows.length)
  expect(of('year').map(({ name, scores }) => [name, scores.count])).toEqual([
    ['2023', 2 * 2 * 288],
    ['2024', 2 * 2 * 288],
  ])
  expect(of('regime').map(({ name }) => name)).toEqual(['mean_reversion', 'neutral'])
  expect(of('volatility').map(({ name, scores }) => [name, scores.count])).toEqual([
    ['calm', 768],
    ['usual', 768],
    ['wild', 768],
  ])
})

test('each coin is scored against its own base rate', () => {
  const [btc, eth] = of('coin').map(({ scores }) => scores)
  expect(btc?.hit).toBe(1)
  const rate = btc?.baseRate ?? 0
  expect(btc?.referenceBrier).toBeCloseTo(rate * (1 - rate), 12)
  expect(btc?.skill).toBeCloseTo(1 - 0.01 / (rate * (1 - rate)), 12)
  expect(eth?.skill).toBeLessThanOrEqual(0)
})

test('the text has a row for every group, the bad ones too', () => {
  const text = reportText(reportOf(rows), 'ab'.repeat(32))
  expect(text).toContain('ab'.repeat(32))
  expect(text.split('\n').filter((line) => /^\| (coin|regime|volatility|year) /.test(line))).toHaveLength(9)
  expect(text).toMatch(/\| coin \| BTC \| 1,152 \| 4 \| 100\.00 /)
})
