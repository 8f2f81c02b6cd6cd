import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { encodedText } from '../../catalog/encoded-text.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { toPublicHead } from '../../record/log/signed-head.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { AnchorNote, Count, Head, recordOf, toAnchorNote } from './fields.ts'
import { keptPagesOf } from './kept-pages.ts'
import { FormerKey, IndexedLeaf, toFormerKey } from './key-change.ts'
import { leafBlocksOf } from './leaf-blocks.ts'
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

/** What is made anew for every reply. */
const Now = z.object({
  timestamp: Timestamp,
  source: Source,
  key_id: z.string().describe('did:key that signs the newest head'),
  former_keys: z.array(FormerKey).describe('Keys that signed earlier heads, oldest first'),
  head: Head.nullable().describe('Newest signed head; null while the record is empty'),
  totals: Totals.describe('Of the leaves under that head'),
  newest_anchor: AnchorNote.nullable(),
  from: Count,
  next: Count.nullable().describe('Where the next page starts; null at the end'),
  anchors: z.array(AnchorNote).describe('All anchors of heads over these leaves'),
})

/** What never changes: checked and encoded when it is first asked for. */
const kept = {
  entries: z.array(IndexedLeaf).max(PAGE_LIMIT),
  heads: z.array(Head).describe('All heads over these leaves'),
}

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
  response: Now.extend(kept),
  handle: async (services: RecordServices, { from, limit }) => {
    const desk = recordOf(services)
    const latest = desk.latest()
    const size = latest.head?.treeSize ?? 0
    const first = Math.min(from ?? Math.max(0, size - limit), size)
    const end = Math.min(first + limit, size)
    const [anchors, newestAnchor] = await Promise.all([desk.anchors(first, end), desk.newestAnchor()])
    const anchored = JSON.stringify([anchors, newestAnchor])
    return keptPagesOf(desk)({ first, end, state: [latest, anchored] }, async () => {
      const { head, all } = latest
      const { leaves, heads } = await leafBlocksOf(desk)(first, end)
      const asOfMs = head?.atMs ?? services.clock.now()
      const now = Now.parse({
        timestamp: isoTime(asOfMs),
        source: services.sourceOf('record'),
        key_id: desk.keyId,
        former_keys: desk.keyChanges().map(toFormerKey),
        head: head ? toPublicHead(head) : null,
        totals: all,
        newest_anchor: newestAnchor ? toAnchorNote(newestAnchor) : null,
        from: first,
        next: end < size ? end : null,
        anchors: anchors.map(toAnchorNote),
      } satisfies z.input<typeof Now>)
      const fixed = `"entries":[${leaves.join()}],"heads":[${heads.join()}]`
      return encodedText(`${JSON.stringify(now).slice(0, -1)},${fixed}}`, asOfMs)
    })
  },
})
