import { z } from 'zod'
import type { Part } from '../intel/part.ts'
import { isoTime, Source } from './fields.ts'

/** What is behind one part of a reply. */
export const PartFields = z
  .object({
    source: Source,
    timestamp: z.iso.datetime().nullable().describe("The part's own time; null while it is missing"),
    status: z
      .enum(['fresh', 'aged', 'missing'])
      .describe('aged: older than usual, still worth showing; missing: not there or too old'),
    reason: z
      .string()
      .optional()
      .describe('Why it is missing, or in a bundle why it is aged; not there while it is fresh'),
  })
  .describe('What is behind a part of the reply')

export function toPartFields(
  part: Part<unknown>,
  sourceOf: (source: string) => string,
): z.input<typeof PartFields> {
  const { source, status, asOfMs, reason } = part
  return {
    source: sourceOf(source),
    timestamp: asOfMs === undefined ? null : isoTime(asOfMs),
    status,
    ...(reason !== undefined && { reason }),
  }
}

/** The time of the oldest part that is there; undefined without any. */
export function oldestMs(parts: readonly Part<unknown>[]): number | undefined {
  const times = parts.flatMap(({ asOfMs }) => asOfMs ?? [])
  return times.length === 0 ? undefined : Math.min(...times)
}
