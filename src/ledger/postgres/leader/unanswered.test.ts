import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../core/time/clock.ts'
import { createKeptLog } from '../../../testing/kept-log.ts'
import { openLeadership } from './leadership.ts'

test('while the database cannot be asked nobody leads, which is said and logged once', async () => {
  const log = createKeptLog()
  const url = 'postgres://127.0.0.1:1/tollbook'
  const leadership = openLeadership({ url, holder: 'process 1', clock: systemClock, log })
  onTestFinished(() => leadership.close())
  await expect.poll(leadership.isAnswered).toBe(false)
  expect(await leadership.won(1_200)).toBe(false)
  expect(log.lines).toMatchObject([{ level: 'warn', cause: expect.stringContaining('ECONNREFUSED') }])
})
