import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { ServiceError } from '../../core/service-error.ts'
import { toPublicHead } from '../../record/log/signed-head.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { Count, EntryId, Hash, Head, noSuchEntry, recordOf, sampleCommit } from './fields.ts'
import { LeafProof, toLeafProofs } from './leaf-proof.ts'
import type { PublicRecord, RecordServices } from './services.ts'

const Size = Count.min(1).max(1e12).optional()

const Consistency = z.object({
  first: Count,
  second: Count,
  first_root: Hash,
  second_root: Hash,
  path: z.array(Hash),
})

export const recordProof = defineEndpoint({
  id: 'record.proof',
  method: 'GET',
  path: '/record/proof/{id}',
  access: free,
  summary: 'Merkle proofs for one entry',
  description:
    'Proves that the leaves of an entry are in the tree of tree_size leaves (the newest one when left out), and with first and second that the later tree only adds to the earlier one. Hashes as in RFC 6962.',
  params: z.object({
    id: EntryId,
    tree_size: Size.describe('Size of the tree to prove against'),
    first: Size.describe('Size of the earlier tree of a consistency proof'),
    second: Size.describe('Size of the later tree; the newest one when left out'),
  }),
  sample: { id: sampleCommit.leaf.id },
  placeholders: {
    values: { id: 'ENTRY_ID' },
    from: 'Put the id of an entry in place of `ENTRY_ID`: /record lists them.',
  },
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    id: z.string(),
    tree_size: Count,
    root_hash: Hash,
    head: Head.nullable().describe('The signed head of exactly that size, where there is one'),
    proofs: z.array(LeafProof),
    consistency: Consistency.nullable(),
  }),
  handle: async (services: RecordServices, { id, tree_size, first, second }) => {
    const desk = recordOf(services)
    const newest = desk.latest().head
    const leaves = await desk.find(id)
    if (!newest || leaves.length === 0) throw noSuchEntry(id)
    const size = sizeOf(tree_size, newest.treeSize)
    const inTree = leaves.filter(({ index }) => index < size)
    if (inTree.length === 0)
      throw new ServiceError('not_found', `${id} was entered after the first ${size} leaves`)
    const [head] = await desk.heads(size - 1, size)
    return {
      timestamp: isoTime(newest.atMs),
      source: services.sourceOf('record'),
      id,
      tree_size: size,
      root_hash: desk.rootHash(size),
      head: head ? toPublicHead(head) : null,
      proofs: toLeafProofs(desk, inTree, size),
      consistency:
        first === undefined ? null : proveConsistency(desk, first, sizeOf(second, newest.treeSize)),
    }
  },
})

function sizeOf(asked: number | undefined, newest: number): number {
  if (asked === undefined || asked <= newest) return asked ?? newest
  throw new ServiceError('not_found', `the record has ${newest} leaves, not ${asked}`)
}

function proveConsistency(desk: PublicRecord, first: number, second: number): z.input<typeof Consistency> {
  if (first > second) throw new ServiceError('bad_request', 'first must not be larger than second')
  return {
    first,
    second,
    first_root: desk.rootHash(first),
    second_root: desk.rootHash(second),
    path: [...desk.consistency(first, second)],
  }
}
