import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { toPublicHead } from '../../record/log/signed-head.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import {
  AnchorNote,
  Count,
  Head,
  recordOf,
  sampleAnchor,
  sampleCommit,
  sampleHead,
  sampleReveal,
  toAnchorNote,
} from './fields.ts'
import { FormerKey, IndexedLeaf, toFormerKey } from './key-change.ts'
import type { RecordServices } from './services.ts'

const PAGE_LIMIT = 1_000

const Totals = z.object({
  entries: Count.describe('One per coin and window: committed and missed together'),
  committed: Count,
  missed: Count,
  late: Count.describe('Of the missed, those that were written but not in time'),
  revealed: Count,
  unknown: Count.describe('Of the revealed, those whose prices are not known'),
  scored: Count,
  called: Count.describe('Of the scored, those that did not abstain'),
  hits: Count,
})

export const record = defineEndpoint({
  id: 'record.log',
  method: 'GET',
  path: '/record',
  access: free,
  summary: 'The public track record, leaf by leaf',
  description:
    'Every prediction was committed before its window opened and is revealed after it closed, in an append-only Merkle log (RFC 6962) under signed heads. Page through all leaves with from; check them with: tollbook verify-record.',
  params: z.object({
    from: Count.max(1e12).optional().describe('Index of the first leaf; the newest ones when left out'),
    limit: z.int().min(1).max(PAGE_LIMIT).default(100).describe('Leaves at most'),
  }),
  sample: { limit: 100 },
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    key_id: z.string().describe('did:key that signs the newest head'),
    former_keys: z.array(FormerKey).describe('Keys that signed earlier heads, oldest first'),
    head: Head.nullable().describe('Newest signed head; null while the record is empty'),
    totals: Totals.describe('Of the leaves under that head'),
    newest_anchor: AnchorNote.nullable(),
    from: Count,
    next: Count.nullable().describe('Where the next page starts; null at the end'),
    entries: z.array(IndexedLeaf).max(PAGE_LIMIT),
    heads: z.array(Head).describe('All heads over these leaves'),
    anchors: z.array(AnchorNote).describe('All anchors of heads over these leaves'),
  }),
  example: {
    timestamp: sampleHead.timestamp,
    source: 'record',
    key_id: sampleHead.key_id,
    former_keys: [],
    head: sampleHead,
    totals: {
      entries: 4,
      committed: 4,
      missed: 0,
      late: 0,
      revealed: 4,
      unknown: 0,
      scored: 4,
      called: 4,
      hits: 3,
    },
    newest_anchor: sampleAnchor,
    from: 0,
    next: 5,
    entries: [sampleCommit, sampleReveal],
    heads: [sampleHead],
    anchors: [sampleAnchor],
  },
  handle: async (services: RecordServices, { from, limit }) => {
    const desk = recordOf(services)
    const { head, all } = desk.latest()
    const size = head?.treeSize ?? 0
    const first = Math.min(from ?? Math.max(0, size - limit), size)
    const end = Math.min(first + limit, size)
    const [entries, heads, anchors, newestAnchor] = await Promise.all([
      desk.page(first, end - first),
      desk.heads(first, end),
      desk.anchors(first, end),
      desk.newestAnchor(),
    ])
    return {
      timestamp: isoTime(head?.atMs ?? services.clock.now()),
      source: services.sourceOf('record'),
      key_id: desk.keyId,
      former_keys: desk.keyChanges().map(toFormerKey),
      head: head ? toPublicHead(head) : null,
      totals: all,
      newest_anchor: newestAnchor ? toAnchorNote(newestAnchor) : null,
      from: first,
      next: end < size ? end : null,
      entries: [...entries],
      heads: heads.map(toPublicHead),
      anchors: anchors.map(toAnchorNote),
    }
  },
})
