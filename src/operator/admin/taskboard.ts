import { z } from 'zod'
import { operator } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import type { TaskPriority, TaskRow } from '../../ledger/ports/operator-book.ts'
import { TASKS_MAX } from '../../ledger/ports/operator-book.ts'
import { isoTime, Source, Timestamp } from '../../products/fields.ts'
import { Count } from '../fields.ts'
import { OPERATOR_SOURCE } from '../sources.ts'
import type { AdminServices } from './services.ts'
import { Task, toTask } from './task-fields.ts'

export const TaskCounts = z.object({ low: Count, normal: Count, high: Count })

export const taskboard = defineEndpoint({
  id: 'admin.taskboard',
  method: 'GET',
  path: '/admin/taskboard',
  access: operator('admin'),
  summary: 'All tasks on the board',
  description: 'Every task that was put on the board, newest first, with counts per priority.',
  params: z.object({}),
  sample: {},
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    count: Count,
    per_priority: TaskCounts,
    tasks: z.array(Task).max(TASKS_MAX),
  }),
  handle: async ({ operatorBook, clock, sourceOf }: AdminServices) => {
    const tasks = await operatorBook.tasks()
    return {
      timestamp: isoTime(clock.now()),
      source: sourceOf(OPERATOR_SOURCE),
      count: tasks.length,
      per_priority: countTasks(tasks),
      tasks: tasks.map(toTask),
    }
  },
})

export function countTasks(tasks: readonly TaskRow[]): z.input<typeof TaskCounts> {
  const of = (priority: TaskPriority) => tasks.filter((task) => task.priority === priority).length
  return { low: of('low'), normal: of('normal'), high: of('high') }
}
