import { expect, test } from 'vitest'
import { createKeptLog } from '../testing/kept-log.ts'
import { createFaultLog } from './fault-log.ts'

test('a fault is told when it begins, when its cause changes, and when it comes back', () => {
  const log = createKeptLog()
  const faults = createFaultLog(log, 'failed again')
  const fail = (message: string, n: number) => faults.failed(new Error(message), { n })
  for (const n of [1, 2, 3]) fail('lost', n)
  fail('refused', 4)
  fail('lost', 5)
  faults.succeeded()
  fail('lost', 6)
  expect(log.lines).toMatchObject([1, 4, 5, 6].map((n) => ({ level: 'warn', n })))
})
