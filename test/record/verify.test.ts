import { beforeAll, describe, expect, test } from 'vitest'
import { checkRecord } from '../src/cli/verify-record.ts'
import { createRecordWorld, testKey } from '../src/testing/record/record-world.ts'
import { askOf, fetchAll, type LeafOfRecord } from '../src/testing/record-replies.ts'
import {
  copyOf,
  createDice,
  type Dice,
  type Doc,
  edit,
  insert,
  otherValue,
  pick,
  remove,
  resign,
  toDoc,
  toReplies,
} from '../src/testing/record-tampering.ts'

/** `TOLLBOOK_TEST_TAMPERINGS=500` for the long run, which also tries every kind among all windows of the long record. */
const MORE = process.env.TOLLBOOK_TEST_TAMPERINGS
const TRIES = Number(MORE ?? 5)
const LONG = 10_000
/** A changed, a removed, a reordered and a backdated entry. */
const TRIED_AMONG_ALL = ['removed', 'reordered', 'backdated', 'an outcome against the prices']
const SHORT = 24
const KEY = testKey(7)
const isKind = (kind: string) => (leaf: LeafOfRecord) => leaf.kind === kind
const isKnown = (leaf: LeafOfRecord) => leaf.kind === 'reveal' && leaf.outcome !== 'unknown'
const shiftTime = (time: unknown, ms: number) => new Date(Date.parse(String(time)) + ms).toISOString()

async function makeRecord(windows: number): Promise<Doc> {
  const world = createRecordWorld()
  await world.keeper.start()
  await world.windows(windows)
  return toDoc(await fetchAll(askOf(world)))
}
const verdict = async (doc: Doc, saved?: unknown, nowMs?: number) =>
  (await checkRecord(toReplies(doc), saved, nowMs)).untrue

/** By somebody without the key: the leaves or heads no longer fit the signatures. */
const FORGERIES: Record<string, (doc: Doc, dice: Dice) => void> = {
  removed: (doc, dice) => remove(doc, pick(doc, dice)),
  'removed from the list only': (doc, dice) => void doc.leaves.splice(pick(doc, dice), 1),
  reordered(doc, dice) {
    const [a, b] = [pick(doc, dice), pick(doc, dice)]
    const other = b === a ? (a + 1) % doc.leaves.length : b
    ;[doc.leaves[a], doc.leaves[other]] = [doc.leaves[other] as LeafOfRecord, doc.leaves[a] as LeafOfRecord]
  },
  backdated: (doc, dice) =>
    edit(doc, pick(doc, dice, isKind('commit')), (leaf) => {
      leaf.committed_at = shiftTime(leaf.committed_at, -60_000)
    }),
  'with a backdated head'(doc, dice) {
    const head = doc.heads[dice(doc.heads.length)]
    if (head) head.timestamp = shiftTime(head.timestamp, -1)
  },
  duplicated(doc, dice) {
    const index = pick(doc, dice)
    insert(doc, index, doc.leaves[index] as LeafOfRecord)
  },
  'with a swapped reveal': swapReveals,
  'with another outcome': flipOutcome,
  'with a forged head signature'(doc, dice) {
    const head = doc.heads[dice(doc.heads.length)]
    if (head) head.signature = `${head.signature.startsWith('A') ? 'B' : 'A'}${head.signature.slice(1)}`
  },
  'with a head of another key'(doc, dice) {
    const index = dice(doc.heads.length)
    const forged = copyOf(doc)
    resign(forged, testKey(8))
    doc.heads[index] = forged.heads[index] as Doc['heads'][0]
  },
  'without any head over a commitment before its window'(doc, dice) {
    const index = pick(doc, dice, isKind('commit'))
    const openMs = Number(doc.leaves[index]?.window_start) * 1000
    doc.heads = doc.heads.filter((head) => head.tree_size <= index || Date.parse(head.timestamp) >= openMs)
  },
  truncated: (doc, dice) => void doc.leaves.splice(1 + dice(doc.leaves.length - 1)),
  'with other totals'(doc, dice) {
    const names = Object.keys(doc.page.totals)
    const name = names[dice(names.length)] ?? ''
    doc.page.totals[name] = (doc.page.totals[name] ?? 0) + 1
  },
  'with other figures'(doc, dice) {
    const told = doc.figures?.coins[dice(4)] ?? {}
    const names = Object.keys(told).filter((name) => typeof told[name] === 'number')
    const name = names[dice(names.length)] ?? ''
    told[name] = Number(told[name]) + 0.0001
  },
}

/** By the operator, who signs everything anew: what breaks is the record's own rules. */
const FRAUDS: Record<string, (doc: Doc, dice: Dice) => void> = {
  'a window left out': (doc, dice) =>
    remove(
      doc,
      pick(doc, dice, (leaf) => leaf.kind !== 'reveal' && !isLast(doc, leaf)),
    ),
  'a window entered twice'(doc, dice) {
    const index = pick(doc, dice, (leaf) => leaf.kind !== 'reveal')
    insert(doc, index + 1, doc.leaves[index] as LeafOfRecord)
  },
  'a reveal told twice'(doc, dice) {
    const index = pick(doc, dice, isKind('reveal'))
    insert(doc, index + 1, doc.leaves[index] as LeafOfRecord)
  },
  'a reveal before its window closed': (doc, dice) =>
    edit(doc, pick(doc, dice, isKind('reveal')), (leaf) => {
      leaf.revealed_at = shiftTime(leaf.revealed_at, -5_000)
    }),
  'a commitment after the opening': (doc, dice) =>
    edit(doc, pick(doc, dice, isKind('commit')), (leaf) => {
      leaf.committed_at = shiftTime(leaf.committed_at, 3_001)
    }),
  'a head signed after the opening'(doc, dice) {
    const index = pick(doc, dice, isKind('commit'))
    const head = doc.heads.find(({ tree_size }) => tree_size > index)
    if (head) head.timestamp = shiftTime(head.timestamp, 3_000)
  },
  'a commitment backdated before its neighbours': (doc, dice) =>
    edit(
      doc,
      pick(
        doc,
        dice,
        (leaf) => leaf.kind === 'commit' && leaf.window_start > (doc.leaves[0]?.window_start ?? 0),
      ),
      (leaf) => {
        leaf.committed_at = shiftTime(leaf.committed_at, -600_000)
      },
    ),
  'another prediction than was committed': (doc, dice) =>
    edit(doc, pick(doc, dice, isKnown), (leaf) => {
      const said = leaf.prediction as { probability_up: number; direction: string; confidence: number }
      const p = leaf.outcome === 'UP' ? 0.9 : 0.1
      Object.assign(said, { probability_up: p, direction: leaf.outcome, confidence: 0.9 })
      leaf.hit = true
    }),
  'another salt': (doc, dice) =>
    edit(doc, pick(doc, dice, isKind('reveal')), (leaf) => {
      leaf.salt = otherValue(leaf.salt)
    }),
  'an outcome against the prices': flipOutcome,
  'a hit that was none': (doc, dice) =>
    edit(doc, pick(doc, dice, isKnown), (leaf) => {
      leaf.hit = !leaf.hit
    }),
  'an outcome said to be unknown': (doc, dice) =>
    edit(doc, pick(doc, dice, isKnown), (leaf) =>
      Object.assign(leaf, { outcome: 'unknown', hit: null, reason: 'no_close_price' }),
    ),
  'a price of another second': (doc, dice) =>
    edit(doc, pick(doc, dice, isKnown), (leaf) => {
      const close = leaf.close as { at: string }
      close.at = shiftTime(close.at, 1_000)
    }),
  'a reveal left out': (doc, dice) => {
    const lastS = Number(doc.leaves.at(-1)?.window_start)
    remove(
      doc,
      pick(doc, dice, (leaf) => leaf.kind === 'reveal' && leaf.window_start < lastS - 16 * 300),
    )
  },
  'two reveals swapped': swapReveals,
  'a prediction taken back when it was seen to fail'(doc, dice) {
    const index = pick(doc, dice, isKind('reveal'))
    edit(doc, index, (leaf) => {
      const { id, coin, window_start, revealed_at } = leaf
      for (const name of Object.keys(leaf)) delete leaf[name]
      Object.assign(leaf, { kind: 'missed', id, coin, window_start, missed_at: revealed_at, reason: 'late' })
    })
  },
}

function swapReveals(doc: Doc, dice: Dice): void {
  const a = pick(doc, dice, isKind('reveal'))
  const b = pick(doc, dice, (leaf) => leaf.kind === 'reveal' && leaf.id !== doc.leaves[a]?.id)
  const [one, two] = [doc.leaves[a], doc.leaves[b]] as [LeafOfRecord, LeafOfRecord]
  edit(doc, a, (leaf) => Object.assign(leaf, { salt: two.salt, prediction: two.prediction }))
  edit(doc, b, (leaf) => Object.assign(leaf, { salt: one.salt, prediction: one.prediction }))
}
function flipOutcome(doc: Doc, dice: Dice): void {
  edit(doc, pick(doc, dice, isKnown), (leaf) =>
    Object.assign(leaf, { outcome: leaf.outcome === 'UP' ? 'DOWN' : 'UP', hit: !leaf.hit }),
  )
}
const isLast = (doc: Doc, { window_start }: LeafOfRecord) =>
  window_start === doc.leaves.findLast(isKind('commit'))?.window_start

describe('verify-record', { timeout: 300_000 }, () => {
  let short: Doc
  let long: Doc
  beforeAll(async () => {
    const startedMs = performance.now()
    ;[short, long] = [await makeRecord(SHORT), await makeRecord(LONG)]
    console.info(
      `${LONG} windows of 4 coins: ${long.leaves.length} leaves, ${long.heads.length} heads, ${Math.round(performance.now() - startedMs)} ms`,
    )
  }, 120_000)

  test(`finds nothing wrong with ${LONG} honest windows`, async () => {
    const startedMs = performance.now()
    const { untrue, size, figures } = await checkRecord(toReplies(long))
    console.info(
      `checked in ${Math.round(performance.now() - startedMs)} ms: hit rate ${figures.hit_rate}, skill ${figures.skill}`,
    )
    expect(untrue).toEqual([])
    expect(size).toBe(long.leaves.length)
    expect(figures).toMatchObject({ entries: 4 * LONG, late: 0 })
    expect(figures.bins).toHaveLength(10)
    expect(figures.skill).toBeGreaterThan(0)
    expect(await verdict(short)).toEqual([])
  })

  test.each(['commit', 'missed', 'reveal'])('catches a change of any field of a %s leaf', async (kind) => {
    const dice = createDice(1)
    for (let n = 0; n < TRIES; n++) {
      const doc = copyOf(short)
      const index = pick(doc, dice, isKind(kind))
      let changed = ''
      edit(doc, index, (leaf) => {
        changed = changeSomewhere(leaf, dice)
      })
      expect(await verdict(doc), changed).not.toEqual([])
    }
  })

  test.each(Object.entries(FORGERIES))('catches a record %s', async (_, forge) => {
    const dice = createDice(2)
    for (let n = 0; n < TRIES; n++) {
      const doc = copyOf(short)
      forge(doc, dice)
      expect(await verdict(doc)).not.toEqual([])
    }
  })

  test.each(Object.entries(FRAUDS))(
    'catches %s, though everything is signed anew',
    async (_, commitFraud) => {
      const dice = createDice(3)
      for (let n = 0; n < TRIES; n++) {
        const doc = copyOf(short)
        commitFraud(doc, dice)
        resign(doc, KEY)
        expect(await verdict(doc)).not.toEqual([])
      }
    },
  )

  test('catches a history rewritten without a trace by whoever holds an earlier head', async () => {
    const dice = createDice(4)
    for (let n = 0; n < TRIES; n++) {
      const saved = short.heads[dice(short.heads.length)] as Doc['heads'][0]
      const doc = copyOf(short)
      // Another price with the same outcome: no rule can tell, only the hash can.
      const index = pick(doc, dice, (leaf) => isKnown(leaf) || leaf.kind === 'missed')
      edit(doc, index, (leaf) => {
        if (leaf.kind === 'missed')
          leaf.reason = leaf.reason === 'no_prediction' ? 'bad_prediction' : 'no_prediction'
        else for (const price of [leaf.open, leaf.close] as { price: number }[]) price.price *= 2
      })
      resign(doc, KEY)
      expect(await verdict(doc)).toEqual([])
      const found = await verdict(doc, saved)
      if (saved.tree_size > index) expect(found.join()).toMatch(/history was rewritten/)
      else expect(found).toEqual([])
    }
  })

  test('catches a record cut short by whoever holds an earlier head, or knows the time', async () => {
    const newest = { ...(short.heads.at(-1) as Doc['heads'][0]) }
    const dice = createDice(5)
    const nowMs = Date.parse(newest.timestamp) + 60_000
    expect(await verdict(short, newest, nowMs)).toEqual([])
    for (let n = 0; n < TRIES; n++) {
      const doc = copyOf(short)
      doc.heads.length = 1 + dice(doc.heads.length - 8)
      doc.leaves.length = doc.heads.at(-1)?.tree_size ?? 0
      resign(doc, KEY)
      expect((await verdict(doc, newest)).join()).toMatch(/fewer than those of the saved head/)
      expect((await verdict(doc, undefined, nowMs)).join()).toMatch(/ends at/)
    }
  })

  test('a saved head of another key is not continued', async () => {
    const doc = copyOf(short)
    resign(doc, testKey(8))
    expect((await verdict(doc, short.heads[3])).join()).toMatch(/saved head/)
  })

  const isTried = ([name]: [string, unknown]) => MORE !== undefined || TRIED_AMONG_ALL.includes(name)
  test.each(Object.entries(FORGERIES).filter(isTried))(
    `catches one among ${LONG} windows that is %s`,
    async (_, forge) => {
      const doc = copyOf(long)
      forge(doc, createDice(6))
      expect(await verdict(doc)).not.toEqual([])
    },
  )
  test.each(Object.entries(FRAUDS).filter(isTried))(
    `catches, among ${LONG} windows and signed anew, %s`,
    async (_, commitFraud) => {
      const doc = copyOf(long)
      commitFraud(doc, createDice(7))
      resign(doc, KEY)
      expect(await verdict(doc)).not.toEqual([])
    },
  )
})

/** Changes one value, at any depth, and says which. */
function changeSomewhere(holder: Record<string, unknown>, dice: Dice): string {
  const names = Object.keys(holder)
  const name = names[dice(names.length)] ?? ''
  const value = holder[name]
  if (typeof value === 'object' && value !== null)
    return `${name}.${changeSomewhere(value as Record<string, unknown>, dice)}`
  holder[name] = otherValue(value)
  return name
}
