import { expect, test } from 'vitest'
import { createManualClock } from '../core/time/manual-clock.ts'
import { HOUR_MS } from '../core/time/time.ts'
import type { Asking } from './find-skill.ts'
import { toTask } from './task.ts'
import { createTasks } from './tasks.ts'

const taskOf = (id: string) =>
  toTask({ id, contextId: 'c', messageId: 'm', timestamp: '' }, { state: 'INPUT_REQUIRED', text: '' })
const asking = {} as Asking

test('forgets tasks after an hour', () => {
  const clock = createManualClock(0)
  const tasks = createTasks(clock)
  tasks.keep({ task: taskOf('a'), asking, client: 'x' })
  expect(tasks.find('a')?.task.id).toBe('a')
  clock.advance(HOUR_MS + 1)
  expect(tasks.find('a')).toBeUndefined()
})

test('one client keeps fifty and pushes out its own, all together a thousand', () => {
  const tasks = createTasks(createManualClock(0))
  const keep = (client: string, count: number) => {
    for (let n = 0; n < count; n++) tasks.keep({ task: taskOf(`${client}-${n}`), asking, client })
  }
  keep('patient', 1)
  keep('greedy', 2_000)
  expect(tasks.find('patient-0')).toBeDefined()
  expect([tasks.find('greedy-1949'), tasks.find('greedy-1950')?.client]).toEqual([undefined, 'greedy'])
  for (let n = 0; n < 25; n++) keep(`many${n}`, 50)
  expect(tasks.find('patient-0')).toBeUndefined()
  expect(tasks.find('many24-49')).toBeDefined()
})
