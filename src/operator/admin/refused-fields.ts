import { z } from 'zod'
import { isoTime } from '../../products/fields.ts'
import type { RefusedReport } from '../../products/payments/services.ts'
import { Count } from '../fields.ts'

export const Refused = z
  .object({
    since: z.iso.datetime().describe('When the process started'),
    count: Count,
    per_reason: z
      .array(
        z.object({
          reason: z.string().min(1).describe('As the 402 has it in error'),
          meaning: z.string().min(1).describe('The reason in a sentence'),
          count: Count,
          last_at: z.iso.datetime().describe('When a payment was last refused for it'),
        }),
      )
      .describe('Most often first'),
  })
  .describe('Payments that were answered with 402 and not taken; nothing was charged for them')

export function toRefused({ sinceMs, reasons }: RefusedReport): z.input<typeof Refused> {
  return {
    since: isoTime(sinceMs),
    count: reasons.reduce((sum, { count }) => sum + count, 0),
    per_reason: reasons.map(({ lastMs, ...each }) => ({ ...each, last_at: isoTime(lastMs) })),
  }
}
