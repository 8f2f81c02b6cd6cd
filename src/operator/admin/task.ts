import { z } from 'zod'
import { operator } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { TASKS_MAX } from '../../ledger/ports/operator-book.ts'
import { isoTime, Source, Timestamp } from '../../products/fields.ts'
import { OPERATOR_SOURCE } from '../sources.ts'
import { Line, Paragraph } from '../texts.ts'
import type { AdminServices } from './services.ts'
import { DETAIL_CHARS, Priority, Task, toTask } from './task-fields.ts'

const TITLE_CHARS = 120
const ASSIGNEE_CHARS = 64

const TaskRequest = z.strictObject({
  title: Line(TITLE_CHARS).describe('What is to be done'),
  detail: Paragraph(DETAIL_CHARS).optional().describe('More about it'),
  priority: Priority.default('normal').describe('How urgent it is'),
  assignee: Line(ASSIGNEE_CHARS).optional().describe('Who is to do it'),
})

export const task = defineEndpoint({
  id: 'admin.task',
  method: 'POST',
  paramsIn: 'body',
  path: '/admin/task',
  access: operator('admin'),
  summary: 'Puts a task on the board',
  description: `Adds a task with a title, and where given a detail, a priority (low, normal or high) and who it is for. Every call adds one. The board holds the newest ${TASKS_MAX}: beyond them the oldest task gives way, and gave_way names it.`,
  params: TaskRequest,
  sample: { title: 'Look at the fills of Monday' },
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    task: Task,
    gave_way: Task.nullable().describe('The oldest task, where the board was full: it is gone'),
  }),
  caller: true,
  handle: async (
    { operatorBook, clock, sourceOf }: AdminServices,
    { title, detail, priority, assignee },
    caller,
  ) => {
    const createdMs = clock.now()
    const added = await operatorBook.addTask({
      createdMs,
      by: caller.by,
      title,
      detail,
      priority,
      assignee,
    })
    return {
      timestamp: isoTime(createdMs),
      source: sourceOf(OPERATOR_SOURCE),
      task: toTask(added.task),
      gave_way: added.gaveWay ? toTask(added.gaveWay) : null,
    }
  },
})
