import { expect, test } from 'vitest'
import { historyCheck } from './health-history.ts'

const NOW_MS = Date.UTC(2026, 0, 5, 12)
const recorder = { days: 12, bytes: 6_660_000, newestMs: NOW_MS - 90_000, fault: undefined }

test('tells the model that runs, how much is kept and how old the newest minute is', () => {
  expect(historyCheck({ modelName: 'five-minute-1-ab', recorder }, NOW_MS)).toEqual({
    name: 'history',
    needed: false,
    state: 'ok',
    latencyMs: null,
    ageMs: 30_000,
    detail: 'model five-minute-1-ab, 12 days in 6.7 MB',
  })
})

test('a fault is degraded and never an outage, and keeping none is well', () => {
  const broken = { ...recorder, fault: 'ENOSPC' }
  expect(historyCheck({ modelName: 'm', recorder: broken }, NOW_MS)).toMatchObject({
    needed: false,
    state: 'degraded',
    detail: 'model m, history cannot be written: ENOSPC',
  })
  expect(historyCheck({ modelName: 'm', recorder: undefined }, NOW_MS)).toMatchObject({
    state: 'ok',
    ageMs: null,
    detail: 'model m, no history is kept',
  })
})
