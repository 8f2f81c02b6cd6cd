import { z } from 'zod'
import { UpstreamError } from '../upstream.ts'

const MAX_REASON_CHARS = 200

/** The value as ours; throws an `UpstreamError` that names the first field which breaks the format. */
export function parseWire<Wire extends z.ZodType>(schema: Wire, json: unknown, what: string): z.output<Wire> {
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  throw new UpstreamError('malformed', `${what}: ${describeFault(parsed.error)}`)
}

/** The first fault: where it is, and what was expected there. */
export function describeFault(error: z.core.$ZodError): string {
  const issue = error.issues[0]
  if (!issue) return 'malformed'
  const where = z.core.toDotPath(issue.path)
  return `${where === '' ? '' : `${where}: `}${issue.message}`.slice(0, MAX_REASON_CHARS)
}
