import { expect, test } from 'vitest'
import { createManualClock } from '../core/time/manual-clock.ts'
import { HOUR_MS } from '../core/time/time.ts'
import { toTask } from './task.ts'
import { createTasks, type KeptTask } from './tasks.ts'

type Payments = Partial<Pick<KeptTask, 'hadPayment' | 'undecided'>>
const keptOf = (id: string, client: string, text = '', payments: Payments = {}): KeptTask => ({
  task: toTask({ id, contextId: 'c', messageId: 'm', timestamp: '' }, { state: 'INPUT_REQUIRED', text }),
  client,
  hadPayment: false,
  undecided: [],
  ...payments,
})
const undecided = { hadPayment: true, undecided: ['digest'] }

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
  for (let n = 0; n < 1_200; n++) keep(`many${n}`, 1)
  const many = Array.from({ length: 1_200 }, (_, n) => tasks.find(`many${n}-0`)).filter(Boolean)
  expect(many).toHaveLength(1_000)
  expect(tasks.find('many1199-0')).toBeDefined()
})

test('many addresses of a stranger push out their own tasks, and nobody else’s', () => {
  const tasks = createTasks(createManualClock(0))
  tasks.keep(keptOf('waiting', 'buyer'))
  tasks.keep(keptOf('bought', 'buyer', '', { hadPayment: true }))
  tasks.keep(keptOf('charged?', 'buyer', '', undecided))
  for (let client = 0; client < 40; client++)
    for (let n = 0; n < 50; n++) tasks.keep(keptOf(`${client}-${n}`, `stranger-${client}`))
  for (const id of ['waiting', 'bought', 'charged?']) expect(tasks.find(id)).toBeDefined()
})

test('an undecided payment is kept while anything else can go, of the same client too', () => {
  const tasks = createTasks(createManualClock(0))
  tasks.keep(keptOf('charged?', 'buyer', '', undecided))
  tasks.keep(keptOf('bought', 'buyer', '', { hadPayment: true }))
  for (let n = 0; n < 200; n++) tasks.keep(keptOf(`more-${n}`, 'buyer'))
  for (const id of ['charged?', 'bought']) expect(tasks.find(id)).toBeDefined()
  for (let n = 0; n < 3_000; n++) tasks.keep(keptOf(`paid-${n}`, `stranger-${n}`, '', { hadPayment: true }))
  expect(tasks.find('charged?')).toBeDefined()
  for (let n = 0; n < 200; n++) tasks.keep(keptOf(`undecided-${n}`, 'buyer', '', undecided))
  expect(tasks.find('charged?')).toBeUndefined()
  expect(tasks.find('undecided-199')).toBeDefined()
})

test('lines of one IPv6 customer share one part', () => {
  const tasks = createTasks(createManualClock(0))
  const lineOf = (n: number) => `20010db80001${n.toString(16).padStart(4, '0')}/64`
  for (let n = 0; n < 60; n++) tasks.keep(keptOf(`line-${n}`, lineOf(n)))
  tasks.keep(keptOf('other', '20010db800020000/64'))
  const kept = Array.from({ length: 60 }, (_, n) => tasks.find(`line-${n}`)).filter(Boolean)
  expect([kept.length, kept[0]?.task.id]).toEqual([50, 'line-10'])
  expect(tasks.find('other')).toBeDefined()
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
  expect(tasks.find('patient')).toBeDefined()
})

test('a task that changes makes way for itself only', () => {
  const tasks = createTasks(createManualClock(0))
  const text = 'x'.repeat(400_000)
  tasks.keep(keptOf('first', 'x', text))
  for (let n = 0; n < 20; n++) tasks.keep(keptOf('second', 'x', text))
  expect([tasks.find('first')?.task.id, tasks.find('second')?.task.id]).toEqual(['first', 'second'])
})
