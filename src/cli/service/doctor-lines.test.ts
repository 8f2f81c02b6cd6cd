import { expect, test } from 'vitest'
import type { Result } from '../../app/doctor/run-checks.ts'
import { toSummary } from './doctor-lines.ts'

const result = (state: Result['state']) => ({ state }) as Result

test('the summary says of checks that were left out why, and where to read what is missing', () => {
  expect(toSummary([result('ok'), result('skipped'), result('skipped')])).toBe(
    '0 failed, 0 warned, 1 well, 2 not checked: each line says why\n',
  )
  expect(toSummary([result('warning')])).toBe('0 failed, 1 warned, 0 well\n')
})
