import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createKeptLog } from '../../testing/kept-log.ts'
import { createCutOffs } from './cut-offs.ts'

test('cut-offs are counted since the start, and logged once a minute at most', () => {
  const clock = createManualClock(Date.parse('2026-01-05T12:00:00.000Z'))
  const log = createKeptLog()
  const count = createCutOffs({ clock, log })
  for (let n = 0; n < 1_000; n++) count('client_limit')
  expect(log.lines).toMatchObject([{ level: 'warn', client_limit: 1 }])
  clock.advance(60_000)
  count('not_reading')
  count('not_reading')
  expect(log.lines).toHaveLength(2)
  expect(log.lines[1]).toMatchObject({ client_limit: 1_000, not_reading: 1 })
})
