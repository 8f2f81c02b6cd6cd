import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayBars } from './day-bars.ts'
import { daysGrouped } from './days-grouped.ts'
import { niceTicks } from './nice-ticks.ts'
import { shareTable } from './share-table.ts'
import { timeChart } from './time-chart.ts'

const hostile = '<script>alert(1)</script>"\'&'

describe('ticks', () => {
  test.each([
    [0, [0, 0.5, 1]],
    [1, [0, 0.5, 1]],
    [7, [0, 2, 4, 6, 8]],
    [0.003, [0, 0.001, 0.002, 0.003]],
    [1_234, [0, 500, 1_000, 1_500]],
  ])('up to %d are round', (max, ticks) => {
    expect(niceTicks(max)).toEqual(ticks)
  })

  test('of counts are whole', () => {
    expect([niceTicks(1, { isCount: true }), niceTicks(3, { isCount: true })]).toEqual([
      [0, 1],
      [0, 1, 2, 3],
    ])
  })

  test('reach the largest value and are few, whatever it is', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e15, noNaN: true }), (max) => {
        const ticks = niceTicks(max)
        return ticks.length <= 7 && (ticks.at(-1) ?? 0) >= max * (1 - 1e-9) && ticks.every(Number.isFinite)
      }),
    )
    for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, -5]) expect(niceTicks(odd)).toEqual([0, 0.5, 1])
  })
})

describe('days', () => {
  test('without a value are 0', () => {
    expect(daysGrouped(new Map([['2026-01-02', 5]]), '2026-01-01', '2026-01-03')).toEqual([
      { label: '2026-01-01', value: 0 },
      { label: '2026-01-02', value: 5 },
      { label: '2026-01-03', value: 0 },
    ])
  })

  test('are weeks from Monday on, then months, where there are too many, and nothing is lost', () => {
    const values = new Map([
      ['2025-01-06', 1],
      ['2025-01-12', 2],
      ['2025-06-01', 4],
    ])
    const weeks = daysGrouped(values, '2025-01-01', '2025-06-01')
    expect(weeks.slice(0, 2)).toEqual([
      { label: 'week of 2024-12-30', value: 0 },
      { label: 'week of 2025-01-06', value: 3 },
    ])
    const months = daysGrouped(values, '2020-01-01', '2025-06-01')
    expect([months.length, months.at(-1)]).toEqual([66, { label: '2025-06', value: 4 }])
    for (const points of [weeks, months]) expect(points.reduce((sum, { value }) => sum + value, 0)).toBe(7)
  })

  test('what lies outside is left out, and an end before the begin is one day', () => {
    expect(daysGrouped(new Map([['2025-01-01', 9]]), '2026-01-02', '2026-01-01')).toEqual([
      { label: '2026-01-02', value: 0 },
    ])
  })
})

describe('drawings', () => {
  const chart = {
    ...{ id: 'c', title: hostile, summary: hostile, isCount: true, toText: String },
    points: [
      { label: hostile, value: 3 },
      { label: 'b', value: 0 },
    ],
  }

  test.each(['bars', 'line'] as const)('%s escape what they are told', (kind) => {
    const { markup } = timeChart({ ...chart, kind, points: [...chart.points, ...chart.points] })
    expect(markup).not.toContain('<script')
    expect(markup).toContain('&lt;script')
    expect(markup).not.toMatch(/NaN|Infinity|undefined|style=/)
  })

  test.each([0, 1, 2, 2_000])('%d points make a drawing that can be drawn', (count) => {
    const points = Array.from({ length: count }, (_, n) => ({ label: `${n}`, value: n % 7 }))
    for (const kind of ['bars', 'line'] as const)
      expect(timeChart({ ...chart, points, kind }).markup).not.toMatch(/NaN|Infinity|undefined/)
  })

  test('a line has points enough to be one', () => {
    const drawn = (count: number) =>
      timeChart({ ...chart, kind: 'line', points: Array(count).fill({ label: 'a', value: 1 }) }).markup
    expect([drawn(3).includes('class="line"'), drawn(4).includes('class="line"')]).toEqual([false, true])
  })

  test('large values are short on the axis and whole in the table', () => {
    const { markup } = timeChart({ ...chart, kind: 'bars', points: [{ label: 'a', value: 1_500_000 }] })
    expect(markup).toContain('>1.5M</text>')
    expect(markup).toContain('>1500000</td>')
  })

  test('a day that is told about is a shape of its own, the others are one', () => {
    const days = [...Array(80).fill({ tone: 'good' }), { tone: 'bad', words: hostile }]
    const { markup } = dayBars(days, hostile)
    expect(markup.match(/<path/g)).toHaveLength(2)
    expect(markup).not.toContain('<script')
  })

  test('shares are of the largest', () => {
    const row = (value: number) => ({ name: hostile, value, cells: [hostile] })
    const { markup } = shareTable(hostile, ['Name', hostile], [row(2), row(1), row(0)])
    expect(markup.match(/width="[\d.]+"/g)).toEqual(['width="100"', 'width="50"', 'width="0"'])
    expect(markup).not.toContain('<script')
    expect(shareTable('t', ['Name'], [row(0)]).markup).not.toContain('NaN')
  })
})
