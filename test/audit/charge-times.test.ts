import { expect, test } from 'vitest'
import { measureChargeTimes } from './charge-times.ts'

test('the longest wait of those whose money had moved', () => {
  const row = { state: 'settled', request: '', amount: 1n, replyText: '', validBeforeMs: undefined }
  const times = measureChargeTimes({
    transfers: [
      { id: 'a', transaction: '0x1', amount: 1n },
      { id: 'b', transaction: '0x2', amount: 1n },
    ],
    rows: [
      { ...row, id: 'a', transaction: '0x1', settledAtMs: 1_500 },
      { ...row, id: 'b', transaction: '0x2', settledAtMs: 9_000 },
    ],
    counter: {
      firstSeenMs: new Map([['a', 1_800]]),
      denials: [
        { id: 'a', atMs: 900 },
        { id: 'a', atMs: 1_100 },
        { id: 'c', atMs: 2_000 },
      ],
    },
    chargedAtMs: new Map([
      ['0x1', 1_000],
      ['0x2', 2_000],
    ]),
    honest: new Set(['a', 'c']),
  })
  expect(times).toEqual({ longestToLedgerMs: 7_000, longestToDeliveryMs: 800, owed: 1 })
})
