import { expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import { createExchangeFlows } from './exchange-flows.ts'

const NOW_MS = Date.UTC(2026, 0, 5, 12, 0, 30)

it('sums what came and went within the span, to the minute', () => {
  const flows = createExchangeFlows()
  const add = (agoMs: number, inUsd: number, outUsd: number) =>
    flows.add({ atMs: NOW_MS - agoMs, inUsd, outUsd })
  add(0, 5, 0)
  add(10_000, 0, 3)
  add(HOUR_MS, 100, 0)
  add(HOUR_MS + MINUTE_MS, 1_000, 0)
  add(DAY_MS + 2 * MINUTE_MS, 1e6, 0)
  add(0, 0, 0)
  expect(flows.sum('1h', NOW_MS)).toEqual({ inUsd: 105, outUsd: 3, transfers: 3 })
  expect(flows.sum('24h', NOW_MS)).toEqual({ inUsd: 1_105, outUsd: 3, transfers: 4 })
  expect(flows.sum('1h', NOW_MS + 2 * HOUR_MS)).toEqual({ inUsd: 0, outUsd: 0, transfers: 0 })
})

it('takes blocks in any order, and none of the future', () => {
  const flows = createExchangeFlows()
  flows.add({ atMs: NOW_MS + 2 * MINUTE_MS, inUsd: 7, outUsd: 0 })
  flows.add({ atMs: NOW_MS - 30 * MINUTE_MS, inUsd: 1, outUsd: 0 })
  expect(flows.sum('1h', NOW_MS).inUsd).toBe(1)
})
