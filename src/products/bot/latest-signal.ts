import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { COINS } from '../../core/coin.ts'
import { isoTime, Note, Source, Timestamp, WindowEdge } from '../fields.ts'
import { signals } from '../signals/signals.ts'
import { CLOSED_SOURCE, ClosedSignal, lastClosed, NO_SIGNAL_NOTE, toClosedSignal } from './closed-signals.ts'
import { PREVIEW_LIMIT, PREVIEW_MAX_AGE } from './limits.ts'
import type { BotServices } from './services.ts'

export const latestSignal = defineEndpoint({
  id: 'bot.latest_signal',
  method: 'GET',
  path: '/public/latest-signal',
  access: free,
  summary: 'Signals of the last closed window, with the outcome',
  description: `What we predicted for the last closed five-minute window before it opened, for each coin, and what came of it: delayed on purpose, the open window is sold at ${signals.path}. Taken from the public record, with the entry and the proof that nothing was changed afterwards. May be cached for 60 seconds and carries an ETag. Empty, with a note, until the first window has closed.`,
  params: z.object({}),
  sample: {},
  limit: PREVIEW_LIMIT,
  cacheControl: PREVIEW_MAX_AGE,
  etag: true,
  response: z.object({
    timestamp: Timestamp.describe('When the newest of them was revealed'),
    source: Source,
    delayed: z.literal(true),
    window_start: WindowEdge.nullable().describe('Null until a window has closed'),
    window_end: WindowEdge.nullable(),
    count: z.int().min(0),
    note: Note.optional().describe('Why the list is empty; there only while it is'),
    signals: z.array(ClosedSignal).max(COINS.length),
  }),
  changes: ({ record, clock }: BotServices) => record?.latest().head ?? clock.now(),
  handle: async ({ record, clock, sourceOf }: BotServices) => {
    const closed = (await lastClosed(record)).map((leaf) => toClosedSignal(leaf, sourceOf))
    const [first] = closed
    const revealed = closed.map(({ revealed_at }) => revealed_at).sort()
    return {
      timestamp: revealed.at(-1) ?? isoTime(record?.latest().head?.atMs ?? clock.now()),
      source: sourceOf(CLOSED_SOURCE),
      delayed: true as const,
      window_start: first?.window_start ?? null,
      window_end: first?.window_end ?? null,
      count: closed.length,
      ...(closed.length === 0 && { note: NO_SIGNAL_NOTE }),
      signals: closed,
    }
  },
})
