import { testKey } from '../../src/testing/record/record-world.ts'
import type { LeafOfRecord } from '../../src/testing/record/replies.ts'
import {
  copyOf,
  type Doc,
  edit,
  insert,
  otherValue,
  pick,
  remove,
  resign,
} from '../../src/testing/record/tampering.ts'
import type { Seeded } from '../../src/testing/seeded.ts'

type Tampering = (doc: Doc, random: Seeded) => void

export const isKind = (kind: string) => (leaf: LeafOfRecord) => leaf.kind === kind
export const isKnown = (leaf: LeafOfRecord) => leaf.kind === 'reveal' && leaf.outcome !== 'unknown'
const shiftTime = (time: unknown, ms: number) => new Date(Date.parse(String(time)) + ms).toISOString()

/** By somebody without the key: the leaves or heads no longer fit the signatures. */
export const FORGERIES: Readonly<Record<string, Tampering>> = {
  removed: (doc, random) => remove(doc, pick(doc, random)),
  'removed from the list only': (doc, random) => void doc.leaves.splice(pick(doc, random), 1),
  reordered(doc, random) {
    const [a, b] = [pick(doc, random), pick(doc, random)]
    const other = b === a ? (a + 1) % doc.leaves.length : b
    ;[doc.leaves[a], doc.leaves[other]] = [doc.leaves[other] as LeafOfRecord, doc.leaves[a] as LeafOfRecord]
  },
  backdated: (doc, random) =>
    edit(doc, pick(doc, random, isKind('commit')), (leaf) => {
      leaf.committed_at = shiftTime(leaf.committed_at, -60_000)
    }),
  'with a backdated head'(doc, random) {
    const head = doc.heads[random.below(doc.heads.length)]
    if (head) head.timestamp = shiftTime(head.timestamp, -1)
  },
  duplicated(doc, random) {
    const index = pick(doc, random)
    insert(doc, index, doc.leaves[index] as LeafOfRecord)
  },
  'with a swapped reveal': swapReveals,
  'with another outcome': flipOutcome,
  'with a forged head signature'(doc, random) {
    const head = doc.heads[random.below(doc.heads.length)]
    if (head) head.signature = `${head.signature.startsWith('A') ? 'B' : 'A'}${head.signature.slice(1)}`
  },
  'with a head of another key'(doc, random) {
    const index = random.below(doc.heads.length)
    const forged = copyOf(doc)
    resign(forged, testKey(8))
    doc.heads[index] = forged.heads[index] as Doc['heads'][0]
  },
  'without any head over a commitment before its window'(doc, random) {
    const index = pick(doc, random, isKind('commit'))
    const openMs = Number(doc.leaves[index]?.window_start) * 1000
    doc.heads = doc.heads.filter((head) => head.tree_size <= index || Date.parse(head.timestamp) >= openMs)
  },
  truncated: (doc, random) => void doc.leaves.splice(1 + random.below(doc.leaves.length - 1)),
  'with a forged tail under an earlier head': forgeTail,
  'with a forged tail, and figures of no size'(doc) {
    forgeTail(doc)
    if (doc.figures) doc.figures.tree_size = -1
  },
  'that nobody signed'(doc) {
    Object.assign(doc, { heads: [] })
    const { key_id, ...page } = doc.page
    const head = { tree_size: doc.leaves.length } as Doc['heads'][0]
    doc.page = { ...page, anchors: [], head } as unknown as Doc['page']
  },
  'whose newest head is published with another mode'(doc) {
    doc.page.head.mode = 'live'
  },
  'with a head over leaves that are not there'(doc) {
    doc.heads.push({ ...doc.page.head, tree_size: doc.leaves.length + 1 })
  },
  'with other totals'(doc, random) {
    const { totals = {} } = doc.page
    const names = Object.keys(totals)
    const name = names[random.below(names.length)] ?? ''
    totals[name] = (totals[name] ?? 0) + 1
  },
  'with a total left out'(doc, random) {
    const { totals = {} } = doc.page
    delete totals[Object.keys(totals)[random.below(9)] ?? '']
  },
  'with a figure left out'(doc, random) {
    const told = [doc.figures?.overall, ...(doc.figures?.coins ?? [])][random.below(5)] ?? {}
    delete told[Object.keys(told)[random.below(18)] ?? '']
  },
  'with a figure that is text'(doc, random) {
    const told = doc.figures?.coins[random.below(4)] ?? {}
    told.entries = String(told.entries)
  },
  'without the figures of a coin': (doc, random) => void doc.figures?.coins.splice(random.below(4), 1),
  'with the figures of one coin twice'(doc, random) {
    const n = random.below(4)
    doc.figures?.coins.splice(n, 1, { ...doc.figures.coins[(n + 1) % 4] })
  },
  'with figures of a size that is no number of leaves'(doc, random) {
    const sizes = [
      -1,
      String(doc.leaves.length),
      doc.leaves.length - 0.5,
      null,
      undefined,
      [doc.leaves.length],
    ]
    Object.assign(doc.figures ?? {}, { tree_size: sizes[random.below(sizes.length)] })
  },
  'with other figures'(doc, random) {
    const told = doc.figures?.coins[random.below(4)] ?? {}
    const names = Object.keys(told).filter((name) => typeof told[name] === 'number')
    const name = names[random.below(names.length)] ?? ''
    told[name] = Number(told[name]) + 0.0001
  },
}

/** By the operator, who signs everything again: only the record's own rules are broken. */
export const FRAUDS: Readonly<Record<string, Tampering>> = {
  'a window left out': (doc, random) =>
    remove(
      doc,
      pick(doc, random, (leaf) => leaf.kind !== 'reveal' && !isLast(doc, leaf)),
    ),
  'a window entered twice'(doc, random) {
    const index = pick(doc, random, (leaf) => leaf.kind !== 'reveal')
    insert(doc, index + 1, doc.leaves[index] as LeafOfRecord)
  },
  'a reveal told twice'(doc, random) {
    const index = pick(doc, random, isKind('reveal'))
    insert(doc, index + 1, doc.leaves[index] as LeafOfRecord)
  },
  'a reveal before its window closed': (doc, random) =>
    edit(doc, pick(doc, random, isKind('reveal')), (leaf) => {
      leaf.revealed_at = shiftTime(leaf.revealed_at, -5_000)
    }),
  'a commitment after the opening': (doc, random) =>
    edit(doc, pick(doc, random, isKind('commit')), (leaf) => {
      leaf.committed_at = shiftTime(leaf.committed_at, 3_001)
    }),
  'a head signed after the opening'(doc, random) {
    const index = pick(doc, random, isKind('commit'))
    const head = doc.heads.find(({ tree_size }) => tree_size > index)
    if (head) head.timestamp = shiftTime(head.timestamp, 3_000)
  },
  'a commitment backdated before its neighbours': (doc, random) =>
    edit(
      doc,
      pick(
        doc,
        random,
        (leaf) => leaf.kind === 'commit' && leaf.window_start > (doc.leaves[0]?.window_start ?? 0),
      ),
      (leaf) => {
        leaf.committed_at = shiftTime(leaf.committed_at, -600_000)
      },
    ),
  'another prediction than was committed': (doc, random) =>
    edit(doc, pick(doc, random, isKnown), (leaf) => {
      const said = leaf.prediction as { probability_up: number; direction: string; confidence: number }
      const p = leaf.outcome === 'UP' ? 0.9 : 0.1
      Object.assign(said, { probability_up: p, direction: leaf.outcome, confidence: 0.9 })
      leaf.hit = true
    }),
  'another salt': (doc, random) =>
    edit(doc, pick(doc, random, isKind('reveal')), (leaf) => {
      leaf.salt = otherValue(leaf.salt)
    }),
  'an outcome against the prices': flipOutcome,
  'a hit that was none': (doc, random) =>
    edit(doc, pick(doc, random, isKnown), (leaf) => {
      leaf.hit = !leaf.hit
    }),
  'an outcome said to be unknown': (doc, random) =>
    edit(doc, pick(doc, random, isKnown), (leaf) =>
      Object.assign(leaf, { outcome: 'unknown', hit: null, reason: 'no_close_price' }),
    ),
  'a price of another second': (doc, random) =>
    edit(doc, pick(doc, random, isKnown), (leaf) => {
      const close = leaf.close as { at: string }
      close.at = shiftTime(close.at, 1_000)
    }),
  'a reveal left out': (doc, random) => {
    const lastS = Number(doc.leaves.at(-1)?.window_start)
    remove(
      doc,
      pick(doc, random, (leaf) => leaf.kind === 'reveal' && leaf.window_start < lastS - 16 * 300),
    )
  },
  'two reveals swapped': swapReveals,
  'a prediction taken back when it was seen to fail'(doc, random) {
    const index = pick(doc, random, isKind('reveal'))
    edit(doc, index, (leaf) => {
      const { id, coin, window_start, revealed_at } = leaf
      for (const name of Object.keys(leaf)) delete leaf[name]
      Object.assign(leaf, { kind: 'missed', id, coin, window_start, missed_at: revealed_at, reason: 'late' })
    })
  },
}

function swapReveals(doc: Doc, random: Seeded): void {
  const a = pick(doc, random, isKind('reveal'))
  const b = pick(doc, random, (leaf) => leaf.kind === 'reveal' && leaf.id !== doc.leaves[a]?.id)
  const [one, two] = [doc.leaves[a], doc.leaves[b]] as [LeafOfRecord, LeafOfRecord]
  edit(doc, a, (leaf) => Object.assign(leaf, { salt: two.salt, prediction: two.prediction }))
  edit(doc, b, (leaf) => Object.assign(leaf, { salt: one.salt, prediction: one.prediction }))
}
/** The last head is kept back, and what only it signed is told better than it was. */
function forgeTail(doc: Doc): void {
  doc.heads.pop()
  const last = doc.heads.at(-1) as Doc['heads'][0]
  doc.page = { ...doc.page, anchors: [], head: { ...last, tree_size: doc.leaves.length } }
  for (let index = last.tree_size; index < doc.leaves.length; index++)
    edit(doc, index, (leaf) => {
      if (isKnown(leaf)) for (const price of [leaf.open, leaf.close] as { price: number }[]) price.price *= 2
    })
}
function flipOutcome(doc: Doc, random: Seeded): void {
  edit(doc, pick(doc, random, isKnown), (leaf) =>
    Object.assign(leaf, { outcome: leaf.outcome === 'UP' ? 'DOWN' : 'UP', hit: !leaf.hit }),
  )
}
const isLast = (doc: Doc, { window_start }: LeafOfRecord) =>
  window_start === doc.leaves.findLast(isKind('commit'))?.window_start

/** Changes one value, at any depth, and says which. */
export function changeSomewhere(holder: Record<string, unknown>, random: Seeded): string {
  const names = Object.keys(holder)
  const name = names[random.below(names.length)] ?? ''
  const value = holder[name]
  if (typeof value === 'object' && value !== null)
    return `${name}.${changeSomewhere(value as Record<string, unknown>, random)}`
  holder[name] = otherValue(value)
  return name
}
