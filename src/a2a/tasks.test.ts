import { expect, test } from 'vitest'
import { createManualClock } from '../core/time/manual-clock.ts'
import { HOUR_MS } from '../core/time/time.ts'
import { toTask } from './task.ts'
import { createTasks, type KeptTask } from './tasks.ts'

const keptOf = (id: string, client: string, text = ''): KeptTask => ({
  task: toTask({ id, contextId: 'c', messageId: 'm', timestamp: '' }, { state: 'INPUT_REQUIRED', text }),
  client,
  hadPayment: false,
  undecided: [],
})

test('forgets tasks after an hour', () => {
  const clock = createManualClock(0)
  const tasks = createTasks(clock)
  tasks.keep(keptOf('a', 'x'))
  expect(tasks.find('a')).toEqual(keptOf('a', 'x'))
  clock.advance(HOUR_MS + 1)
  expect(tasks.find('a')).toBeUndefined()
})

test('one client keeps fifty and pushes out its own, all together a thousand', () => {
  const tasks = createTasks(createManualClock(0))
  const keep = (client: string, count: number) => {
    for (let n = 0; n < count; n++) tasks.keep(keptOf(`${client}-${n}`, client))
  }
  keep('patient', 1)
  keep('greedy', 2_000)
  expect(tasks.find('patient-0')).toBeDefined()
  expect([tasks.find('greedy-1949'), tasks.find('greedy-1950')?.client]).toEqual([undefined, 'greedy'])
  for (let n = 0; n < 25; n++) keep(`many${n}`, 50)
  expect(tasks.find('patient-0')).toBeUndefined()
  expect(tasks.find('many24-49')).toBeDefined()
})

test('large tasks are bounded by their size: a share for each client, and all together', () => {
  const tasks = createTasks(createManualClock(0))
  const text = 'x'.repeat(300_000)
  tasks.keep(keptOf('patient', 'patient'))
  for (let n = 0; n < 10; n++) tasks.keep(keptOf(`greedy-${n}`, 'greedy', text))
  const found = () => Array.from({ length: 10 }, (_, n) => tasks.find(`greedy-${n}`)).filter(Boolean)
  expect(found()).toHaveLength(3)
  expect(tasks.find('patient')).toBeDefined()
  tasks.keep(keptOf('greedy-9', 'greedy', 'x'.repeat(1_000_001)))
  expect(tasks.find('greedy-9')).toBeUndefined()
  for (let n = 0; n < 60; n++) tasks.keep(keptOf(`crowd-${n}`, `crowd-${n}`, text))
  const crowd = Array.from({ length: 60 }, (_, n) => tasks.find(`crowd-${n}`)).filter(Boolean)
  expect(crowd).toHaveLength(53)
  expect(tasks.find('patient')).toBeUndefined()
})

test('a task that changes makes way for itself only', () => {
  const tasks = createTasks(createManualClock(0))
  const text = 'x'.repeat(400_000)
  tasks.keep(keptOf('first', 'x', text))
  for (let n = 0; n < 20; n++) tasks.keep(keptOf('second', 'x', text))
  expect([tasks.find('first')?.task.id, tasks.find('second')?.task.id]).toEqual(['first', 'second'])
})
