import { z } from 'zod'
import { UpstreamError } from '../upstream.ts'

// Servers with the chat completions of OpenAI differ in the fields that they take. Which ones is found by asking.

/** How the next request is written. */
export type AcceptedFields = {
  limit: 'max_tokens' | 'max_completion_tokens'
  hasTemperature: boolean
  hasSchema: boolean
}

export const ALL_FIELDS: AcceptedFields = { limit: 'max_tokens', hasTemperature: true, hasSchema: true }

/** How servers answer to a field that they do not take. */
const FIELD_REFUSED: readonly (number | undefined)[] = [400, 415, 422]
const Refusal = z.object({
  error: z.object({ param: z.string().nullish().catch(null), message: z.string().catch('') }),
})
const FIELDS = ['max_tokens', 'temperature', 'response_format'] as const

/** What to leave out of the next request; undefined where the server refused for another reason. */
export function withoutRefused(accepted: AcceptedFields, error: unknown): AcceptedFields | undefined {
  if (!(error instanceof UpstreamError) || !FIELD_REFUSED.includes(error.status)) return undefined
  const refused = findRefusedField(error.said)
  // Models that take no `max_tokens` think before they write, and those take no temperature either.
  if (refused === 'max_tokens' && accepted.limit === 'max_tokens')
    return { ...accepted, limit: 'max_completion_tokens', hasTemperature: false }
  if (refused === 'temperature' && accepted.hasTemperature) return { ...accepted, hasTemperature: false }
  // Servers that do not know the schema do not always say so.
  return (refused === undefined || refused === 'response_format') && accepted.hasSchema
    ? { ...accepted, hasSchema: false }
    : undefined
}

function findRefusedField(said: string | undefined): (typeof FIELDS)[number] | undefined {
  const { data } = Refusal.safeParse(parse(said ?? ''))
  const { param, message = '' } = data?.error ?? {}
  return FIELDS.find((field) => param === field) ?? FIELDS.find((field) => message.includes(`'${field}'`))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
