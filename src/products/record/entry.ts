import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { WINDOW_S } from '../../core/time/window.ts'
import { toPublicHead } from '../../record/log/signed-head.ts'
import { isoTime, Source, Timestamp, WindowEdge } from '../fields.ts'
import { AnyCoin, EntryId, Head, IndexedWindowLeaf, noSuchEntry, recordOf, sampleCommit } from './fields.ts'
import { FirstHead, findFirstHead, LeafProof, toLeafProofs } from './leaf-proof.ts'
import type { RecordServices } from './services.ts'

export const recordEntry = defineEndpoint({
  id: 'record.entry',
  method: 'GET',
  path: '/record/{id}',
  access: free,
  summary: 'One entry of the track record',
  description:
    'The commitment to a prediction for one coin and window and, once the window has closed, the prediction itself with the oracle prices and the outcome; or why the window was missed. With the proofs that its leaves are under the signed heads: it can be checked by itself, as /proof does in a browser.',
  params: z.object({ id: EntryId }),
  sample: { id: sampleCommit.leaf.id },
  placeholders: {
    values: { id: 'ENTRY_ID' },
    from: 'Put the id of an entry in place of `ENTRY_ID`: /record lists them.',
  },
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    id: z.string(),
    coin: AnyCoin,
    window_start: WindowEdge,
    window_end: WindowEdge,
    state: z.enum(['committed', 'revealed', 'missed']),
    leaves: z.array(IndexedWindowLeaf).describe('Every leaf of this entry, oldest first'),
    head: Head.describe('Newest signed head'),
    proofs: z.array(LeafProof).describe('That each leaf is in the tree of that head, as in RFC 6962'),
    first_head: FirstHead.nullable().describe(
      'The first head over the commitment, signed before the window opened; null where there is no commitment',
    ),
  }),
  handle: async (services: RecordServices, { id }) => {
    const desk = recordOf(services)
    const { head } = desk.latest()
    // What came to the record while it was looked up is not under that head.
    const leaves = (await desk.find(id)).filter(({ index }) => index < (head?.treeSize ?? 0))
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
      proofs: toLeafProofs(desk, leaves, head.treeSize),
      first_head: await findFirstHead(desk, leaves),
    }
  },
})

const STATES = { commit: 'committed', reveal: 'revealed', missed: 'missed' } as const
