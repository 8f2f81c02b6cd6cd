import { beforeAll, describe, expect, test } from 'vitest'
import { checkRecord } from '../../src/cli/verify-record/check-record.ts'
import { createRecordLog } from '../../src/record/log/record-log.ts'
import { createRecordReader } from '../../src/record/record-reader.ts'
import {
  changeKey,
  FIRST_KEY,
  makeRekeyed,
  SECOND_KEY,
  THIRD_KEY,
} from '../../src/testing/record/change-key.ts'
import { createRecordWorld } from '../../src/testing/record/record-world.ts'
import { askOf, fetchAll } from '../../src/testing/record/replies.ts'
import { copyOf, type Doc, edit, pick, toReplies } from '../../src/testing/record/tampering.ts'
import { serveRecord, verifyRecord } from '../../src/testing/record/verify-command.ts'
import { searchSize } from '../../src/testing/search-size.ts'
import { createSeeded } from '../../src/testing/seeded.ts'
import { changeSomewhere } from './forgeries.ts'
import { isKey, KEY_FORGERIES, resignByEntries } from './key-forgeries.ts'

const TRIES = searchSize('tamperings')
const WINDOWS = 6
const verdict = async (doc: Doc, saved?: unknown) => (await checkRecord(toReplies(doc), saved)).untrue

describe('a record whose key was rotated, and then lost', () => {
  let rekeyed: Doc
  beforeAll(async () => {
    rekeyed = await makeRekeyed(WINDOWS)
  })

  test('is true, and its entries count in no figure', async () => {
    const { untrue, changes, figures, keyIds } = await checkRecord(toReplies(rekeyed))
    expect(untrue).toEqual([])
    expect(changes).toMatchObject([
      { id: 'key-1', reason: 'rotated', old_signature: expect.any(String) },
      { id: 'key-2', reason: 'lost', old_signature: null },
    ])
    expect(keyIds).toEqual([FIRST_KEY.id, SECOND_KEY.id, THIRD_KEY.id])
    expect(figures.entries).toBe(4 * 3 * WINDOWS)
    expect(rekeyed.leaves).toHaveLength(figures.entries + figures.revealed + 2)
    expect(rekeyed.page.former_keys).toMatchObject([{ key_id: FIRST_KEY.id }, { key_id: SECOND_KEY.id }])
  })

  test('continues a head of every key at its place, and of none elsewhere', async () => {
    for (const head of rekeyed.heads) expect(await verdict(rekeyed, { ...head })).toEqual([])
    const doc = copyOf(rekeyed)
    resignByEntries(doc)
    expect(await verdict(doc)).toEqual([])
    const first = rekeyed.heads[0] as Doc['heads'][0]
    const last = rekeyed.heads.at(-1) as Doc['heads'][0]
    expect((await verdict(rekeyed, { ...first, key_id: last.key_id })).join()).toMatch(
      /saved head is not signed/,
    )
  })

  test('that was changed hours after a stop is true before the missed windows are entered, and not up to date', async () => {
    const world = createRecordWorld()
    await world.keeper.start()
    await world.windows(4)
    await world.keeper.stop()
    const { clock, book, rows } = world
    clock.advanceTo(clock.now() + 4 * 3_600_000)
    await changeKey(rows, FIRST_KEY, SECOND_KEY, clock.now())
    const record = createRecordLog({ book, key: SECOND_KEY, mode: 'sandbox' })
    await record.catchUp()
    const reader = createRecordReader({ clock, book, record, keyId: SECOND_KEY.id })
    const replies = await fetchAll(askOf({ clock, keeper: { reader } }))
    expect((await checkRecord(replies)).untrue).toEqual([])
    const now = await checkRecord(replies, undefined, clock.now())
    expect(now.untrue).toEqual([expect.stringMatching(/^the record ends at/)])
  })

  test('that begins with a change of the key has no window to prove anything of', async () => {
    const world = createRecordWorld()
    await changeKey(world.rows, FIRST_KEY, SECOND_KEY, world.clock.now())
    const again = createRecordWorld({ rows: world.rows, key: SECOND_KEY })
    await again.keeper.start()
    const at = new Date(again.clock.now()).toISOString()
    const { text, code } = await verifyRecord(await serveRecord(askOf(again)), '--at', at)
    expect(text).toContain('not checked: any prediction: no window is entered yet')
    expect(text).not.toContain('until now')
    expect(code).toBe(3)
    await again.windows(2)
    expect((await checkRecord(await fetchAll(askOf(again)))).untrue).toEqual([])
  })

  test('catches a change of any field of an entry', async () => {
    const random = createSeeded(8)
    for (let n = 0; n < 4 * TRIES; n++) {
      const doc = copyOf(rekeyed)
      let changed = ''
      const index = pick(doc, random, isKey)
      edit(doc, index, (leaf) => {
        changed = changeSomewhere(leaf, random)
      })
      expect(await verdict(doc), changed).not.toEqual([])
      resignByEntries(doc, index)
      expect(await verdict(doc), `${changed}, signed anew`).not.toEqual([])
    }
  })

  test.each(Object.entries(KEY_FORGERIES))('catches %s', async (_, forge) => {
    const random = createSeeded(9)
    for (let n = 0; n < TRIES; n++) {
      const doc = copyOf(rekeyed)
      forge(doc, random)
      expect(await verdict(doc)).not.toEqual([])
    }
  })
})
