import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { WINDOW_S } from '../../core/time/window.ts'
import { toPublicHead } from '../../record/log/signed-head.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import {
  AnyCoin,
  EntryId,
  Head,
  IndexedWindowLeaf,
  noSuchEntry,
  recordOf,
  sampleCommit,
  sampleHead,
  sampleReveal,
} from './fields.ts'
import type { RecordServices } from './services.ts'

export const recordEntry = defineEndpoint({
  id: 'record.entry',
  method: 'GET',
  path: '/record/{id}',
  access: free,
  summary: 'One entry of the track record',
  description:
    'The commitment to a prediction for one coin and window and, once the window has closed, the prediction itself with the oracle prices and the outcome; or why the window was missed.',
  params: z.object({ id: EntryId }),
  sample: { id: sampleCommit.leaf.id },
  isSampleMadeUp: true,
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    id: z.string(),
    coin: AnyCoin,
    window_start: z.int(),
    window_end: z.int(),
    state: z.enum(['committed', 'revealed', 'missed']),
    leaves: z.array(IndexedWindowLeaf).describe('Every leaf of this entry, oldest first'),
    head: Head.describe('Newest signed head'),
  }),
  example: {
    timestamp: sampleHead.timestamp,
    source: 'record',
    id: sampleCommit.leaf.id,
    coin: 'BTC',
    window_start: 1767614400,
    window_end: 1767614700,
    state: 'revealed',
    leaves: [sampleCommit, sampleReveal],
    head: sampleHead,
  },
  handle: async (services: RecordServices, { id }) => {
    const desk = recordOf(services)
    const { head } = desk.latest()
    const leaves = await desk.find(id)
    const last = leaves.at(-1)
    if (!last || !head) throw noSuchEntry(id)
    const { coin, window_start, kind } = last.leaf
    return {
      timestamp: isoTime(head.atMs),
      source: services.sourceOf('record'),
      id,
      coin,
      window_start,
      window_end: window_start + WINDOW_S,
      state: STATES[kind],
      leaves: [...leaves],
      head: toPublicHead(head),
    }
  },
})

const STATES = { commit: 'committed', reveal: 'revealed', missed: 'missed' } as const
