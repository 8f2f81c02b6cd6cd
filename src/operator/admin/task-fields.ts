import { z } from 'zod'
import { TASK_PRIORITIES, type TaskRow } from '../../ledger/ports/operator-book.ts'
import { isoTime } from '../../products/fields.ts'

export const DETAIL_CHARS = 1_000

export const Priority = z.enum(TASK_PRIORITIES)

export const Task = z.object({
  id: z.int().min(0),
  title: z.string().min(1),
  detail: z.string().max(DETAIL_CHARS).nullable(),
  priority: Priority,
  assignee: z.string().min(1).nullable(),
  created_at: z.iso.datetime(),
  by: z.string().min(1),
})

export const toTask = ({
  id,
  title,
  detail,
  priority,
  assignee,
  createdMs,
  by,
}: TaskRow): z.input<typeof Task> => ({
  id,
  title,
  detail: detail ?? null,
  priority,
  assignee: assignee ?? null,
  created_at: isoTime(createdMs),
  by,
})
