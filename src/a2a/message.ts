import { z } from 'zod'
import { A2aError } from './a2a-error.ts'

const ID_CHARS = 200
const MAX_PARTS = 20
const Id = z.string().min(1).max(ID_CHARS)
const Fields = z.record(z.string(), z.unknown())
/** Absent fields of a message may come as empty text. */
const OptionalId = z
  .string()
  .max(ID_CHARS)
  .optional()
  .transform((id) => (id === '' ? undefined : id))

const Part = z.looseObject({ text: z.string().optional(), data: z.unknown().optional() })
export const Message = z.looseObject({
  messageId: Id,
  contextId: OptionalId,
  taskId: OptionalId,
  role: z.literal('ROLE_USER').optional(),
  parts: z.array(Part).max(MAX_PARTS).default([]),
  metadata: Fields.optional(),
})
export type Message = z.output<typeof Message>

export const SendParams = z.looseObject({ message: Message })
export const TaskParams = z.looseObject({ id: Id })

/** What a caller sent, or an error that names the first thing that is wrong with it. */
export function parseParams<T>(schema: z.ZodType<T>, params: unknown): T {
  const parsed = schema.safeParse(params)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new A2aError('INVALID_PARAMS', `${issue?.path.join('.') || 'params'}: ${issue?.message}`)
}
