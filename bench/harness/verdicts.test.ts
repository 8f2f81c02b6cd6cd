import { describe, expect, it } from 'vitest'
import type { Measurement } from './measure.ts'
import { type Figures, verdicts } from './verdicts.ts'

const COMPARISONS = [
  { ours: 'tollbook/challenge', other: 'x402-hono/challenge', atLeast: 2 },
  { ours: 'tollbook/demo', other: 'bare/demo', atLeast: 0.5 },
  { ours: 'tollbook/market', other: 'hono-log/market', atLeast: undefined },
]

const round = (perSecond: number, cpuUs?: number): Measurement => ({
  perSecond,
  cpuUs,
  busiestUs: cpuUs,
  p50Ms: 1,
  p99Ms: 2,
  serverShare: undefined,
  loadShare: 0.5,
  othersOnServerCore: undefined,
  othersOnLoadCore: undefined,
  errors: {},
})

describe('verdicts', () => {
  it('compares round by round and takes the median', () => {
    const figures: Figures = new Map([
      ['tollbook/challenge', [round(100, 10), round(300, 10), round(90, 10)]],
      ['x402-hono/challenge', [round(50, 30), round(100, 20), round(60, 25)]],
    ])
    const [verdict, ...rest] = verdicts(figures, COMPARISONS)
    expect(rest).toEqual([])
    expect(verdict?.throughput).toEqual({ median: 2, min: 1.5, max: 3 })
    expect(verdict?.cpu).toEqual({ median: 2.5, min: 2, max: 3 })
    expect(verdict?.holds).toBe(true)
  })

  it('judges by the busiest thread where it is told to', () => {
    const figures: Figures = new Map([
      ['ours', [{ ...round(1, 90), busiestUs: 20 }]],
      ['theirs', [{ ...round(2, 60), busiestUs: 50 }]],
    ])
    const by = (by: 'thread' | 'throughput') =>
      verdicts(figures, [{ ours: 'ours', other: 'theirs', atLeast: 2, by }])[0]
    expect(by('thread')).toMatchObject({ thread: { median: 2.5 }, holds: true })
    expect(by('throughput')).toMatchObject({ throughput: { median: 0.5 }, holds: false })
  })

  it('says so when a goal is missed, and nothing where none is set', () => {
    const figures: Figures = new Map([
      ['tollbook/demo', [round(49)]],
      ['bare/demo', [round(100)]],
      ['tollbook/market', [round(49)]],
      ['hono-log/market', [round(10)]],
    ])
    expect(verdicts(figures, COMPARISONS).map(({ other, holds }) => [other, holds])).toEqual([
      ['bare/demo', false],
      ['hono-log/market', undefined],
    ])
  })
})
