import { expect, test } from 'vitest'
import { overheads, type PaidFigures } from './goals.ts'
import type { PaidMeasurement } from './measure.ts'

const round = (p50Ms: number, facilitatorMs: number): PaidMeasurement => ({
  perSecond: 1,
  cpuUs: undefined,
  busiestUs: undefined,
  p50Ms,
  p99Ms: p50Ms,
  serverShare: undefined,
  loadShare: 0,
  othersOnServerCore: undefined,
  othersOnLoadCore: undefined,
  errors: {},
  facilitatorMs,
  overheadMs: p50Ms - facilitatorMs,
})

test('overhead is judged by its median over the rounds, ours only, one call at a time', () => {
  const figures: PaidFigures = new Map([
    ['instant/tollbook/one', [round(3, 0), round(1, 0), round(1.5, 0)]],
    ['anvil/tollbook/one', [round(12, 10), round(13, 10)]],
    ['anvil/x402-hono/one', [round(11, 10)]],
    ['instant/tollbook/many', [round(30, 0)]],
  ])
  expect(overheads(figures)).toEqual([
    {
      name: 'instant/tollbook/one',
      replyMs: 1.5,
      facilitatorMs: 0,
      overhead: { median: 1.5, min: 1, max: 3 },
      belowMs: 2,
      holds: true,
    },
    {
      name: 'anvil/tollbook/one',
      replyMs: 12.5,
      facilitatorMs: 10,
      overhead: { median: 2.5, min: 2, max: 3 },
      belowMs: 2,
      holds: false,
    },
    {
      name: 'anvil/x402-hono/one',
      replyMs: 11,
      facilitatorMs: 10,
      overhead: { median: 1, min: 1, max: 1 },
      belowMs: undefined,
      holds: undefined,
    },
  ])
})
