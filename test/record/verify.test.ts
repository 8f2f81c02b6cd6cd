import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkRecord } from '../../src/cli/verify-record/check-record.ts'
import { createRecordWorld, testKey } from '../../src/testing/record/record-world.ts'
import { askOf, fetchAll } from '../../src/testing/record/replies.ts'
import { copyOf, type Doc, edit, pick, resign, toDoc, toReplies } from '../../src/testing/record/tampering.ts'
import { searchSize } from '../../src/testing/search-size.ts'
import { createSeeded } from '../../src/testing/seeded.ts'
import { changeSomewhere, FORGERIES, FRAUDS, isKind, isKnown } from './forgeries.ts'

const TRIES = searchSize('tamperings')
const LONG = searchSize('windows')
const SHORT = 24
const KEY = testKey(7)
/** A changed, a removed, a reordered and a backdated entry are looked for in the long record before all others. */
const FIRST_KINDS = ['removed', 'reordered', 'backdated', 'an outcome against the prices']
const KINDS = new Set([...FIRST_KINDS, ...Object.keys(FORGERIES), ...Object.keys(FRAUDS)])
const IN_LONG = new Set([...KINDS].slice(0, searchSize('kinds')))

async function makeRecord(windows: number): Promise<Doc> {
  const world = createRecordWorld()
  await world.keeper.start()
  await world.windows(windows)
  return toDoc(await fetchAll(askOf(world)))
}
let checked = 0
const verdict = async (doc: Doc, saved?: unknown, nowMs?: number) => {
  checked++
  return (await checkRecord(toReplies(doc), saved, nowMs)).untrue
}

describe('verify-record', () => {
  let short: Doc
  let long: Doc
  beforeAll(async () => {
    const startedMs = performance.now()
    ;[short, long] = [await makeRecord(SHORT), await makeRecord(LONG)]
    console.info(
      `record: ${LONG} windows of 4 coins, ${long.leaves.length} leaves, ${long.heads.length} heads, kept in ${Math.round(performance.now() - startedMs)} ms`,
    )
  })
  afterAll(() => {
    console.info(
      `record: ${checked} records checked, tampered with in ${KINDS.size} ways, ${IN_LONG.size} of them among ${LONG} windows`,
    )
  })

  test(`finds nothing wrong with ${LONG} honest windows`, async () => {
    const startedMs = performance.now()
    const { untrue, size, figures } = await checkRecord(toReplies(long))
    console.info(
      `record: checked in ${Math.round(performance.now() - startedMs)} ms, hit rate ${figures.hit_rate}, skill ${figures.skill}`,
    )
    expect(untrue).toEqual([])
    expect(size).toBe(long.leaves.length)
    expect(figures).toMatchObject({ entries: 4 * LONG, late: 0 })
    expect(figures.bins).toHaveLength(10)
    expect(figures.skill).toBeGreaterThan(0)
    expect(await verdict(short)).toEqual([])
  })

  test.each(['commit', 'missed', 'reveal'])('catches a change of any field of a %s leaf', async (kind) => {
    const random = createSeeded(1)
    for (let n = 0; n < TRIES; n++) {
      const doc = copyOf(short)
      const index = pick(doc, random, isKind(kind))
      let changed = ''
      edit(doc, index, (leaf) => {
        changed = changeSomewhere(leaf, random)
      })
      expect(await verdict(doc), changed).not.toEqual([])
    }
  })

  test.each(Object.entries(FORGERIES))('catches a record %s', async (_, forge) => {
    const random = createSeeded(2)
    for (let n = 0; n < TRIES; n++) {
      const doc = copyOf(short)
      forge(doc, random)
      expect(await verdict(doc)).not.toEqual([])
    }
  })

  test.each(Object.entries(FRAUDS))(
    'catches %s, though everything is signed anew',
    async (_, commitFraud) => {
      const random = createSeeded(3)
      for (let n = 0; n < TRIES; n++) {
        const doc = copyOf(short)
        commitFraud(doc, random)
        resign(doc, KEY)
        expect(await verdict(doc)).not.toEqual([])
      }
    },
  )

  test('catches a history rewritten without a trace by whoever holds an earlier head', async () => {
    const random = createSeeded(4)
    for (let n = 0; n < TRIES; n++) {
      const saved = short.heads[random.below(short.heads.length)] as Doc['heads'][0]
      const doc = copyOf(short)
      // Another price with the same outcome: it breaks no rule, only the hash differs.
      const index = pick(doc, random, (leaf) => isKnown(leaf) || leaf.kind === 'missed')
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
    const random = createSeeded(5)
    const nowMs = Date.parse(newest.timestamp) + 60_000
    expect(await verdict(short, newest, nowMs)).toEqual([])
    for (let n = 0; n < TRIES; n++) {
      const doc = copyOf(short)
      doc.heads.length = 1 + random.below(doc.heads.length - 8)
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

  const isTried = ([name]: [string, unknown]) => IN_LONG.has(name)
  test.each(Object.entries(FORGERIES).filter(isTried))(
    `catches one among ${LONG} windows that is %s`,
    async (_, forge) => {
      const doc = copyOf(long)
      forge(doc, createSeeded(6))
      expect(await verdict(doc)).not.toEqual([])
    },
  )
  test.each(Object.entries(FRAUDS).filter(isTried))(
    `catches, among ${LONG} windows and signed anew, %s`,
    async (_, commitFraud) => {
      const doc = copyOf(long)
      commitFraud(doc, createSeeded(7))
      resign(doc, KEY)
      expect(await verdict(doc)).not.toEqual([])
    },
  )
})
