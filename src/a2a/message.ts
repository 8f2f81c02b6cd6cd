import { z } from 'zod'
import { A2aError } from './a2a-error.ts'

const ID_CHARS = 200
export const MAX_PARTS = 20
const TOO_LONG = `must have at most ${ID_CHARS} characters`
export const Id = z.string('must be text').min(1, 'must not be empty').max(ID_CHARS, TOO_LONG)
const Fields = z.record(z.string(), z.unknown())
/** Absent fields of a message may come as empty text. */
const OptionalId = z
  .string('must be text')
  .max(ID_CHARS, TOO_LONG)
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

const PAGE_SIZE = { most: 100, usual: 50 }
const wrongSize = `must be a whole number from 1 to ${PAGE_SIZE.most}`
/** Over plain HTTP numbers come as text. */
export const ListParams = z.looseObject({
  pageSize: z.coerce
    .number(wrongSize)
    .int(wrongSize)
    .min(1, wrongSize)
    .max(PAGE_SIZE.most, wrongSize)
    .default(PAGE_SIZE.usual),
})

/** What a caller sent, or an error that names the first thing that is wrong with it. */
export function parseParams<T>(schema: z.ZodType<T>, params: unknown): T {
  const parsed = schema.safeParse(params)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new A2aError('INVALID_PARAMS', `${issue?.path.join('.') || 'params'}: ${issue?.message}`)
}
