import { z } from 'zod'
import { wireArray, wireText } from '../wire/text.ts'
import { orUnknown } from '../wire/unknown.ts'

const MAX_CONTENT_CHARS = 64_000
const MAX_PARTS = 100

/** Servers write a message as one text, as a list of parts, or as null where the model refused. */
const Content = z.union([
  wireText(MAX_CONTENT_CHARS),
  z.null(),
  wireArray(z.object({ text: orUnknown(wireText(MAX_CONTENT_CHARS)) }), MAX_PARTS).transform((parts) =>
    parts
      .map(({ text = '' }) => text)
      .join('')
      .slice(0, MAX_CONTENT_CHARS),
  ),
])

/** Of several choices the first counts; we ask for one. */
export const ChatReply = z
  .object({
    choices: wireArray(
      z.object({
        message: z.object({
          content: Content.optional(),
          refusal: orUnknown(wireText(MAX_CONTENT_CHARS)),
        }),
        finish_reason: orUnknown(wireText(100)),
      }),
      MAX_PARTS,
      1,
    ),
  })
  .transform(({ choices: [first] }) => ({
    content: first?.message.content ?? undefined,
    isRefused: Boolean(first?.message.refusal) || first?.finish_reason === 'content_filter',
    isCutOff: first?.finish_reason === 'length',
  }))

/** What some models write around the object: their thoughts, and the fences of Markdown. */
const THOUGHTS = /^\s*<think>[\s\S]*?<\/think>/

/** The one object in a text; undefined where there is none. */
export function findObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const said = text.replace(THOUGHTS, '')
  const [from, to] = [said.indexOf('{'), said.lastIndexOf('}')]
  if (from < 0 || to < from) return undefined
  try {
    const value: unknown = JSON.parse(said.slice(from, to + 1))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
