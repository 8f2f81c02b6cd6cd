import { describe, expect, test } from 'vitest'
import { COINS } from '../core/coin.ts'
import { WINDOW_S } from '../core/time/window.ts'
import { createKeptLog } from '../testing/kept-log.ts'
import { createMemoryRecordBook } from '../testing/ledger/memory-record-book.ts'
import { changeKey, FIRST_KEY, SECOND_KEY } from '../testing/record/change-key.ts'
import { createRecordWorld, FIRST_S, type RecordWorld, testKey } from '../testing/record/record-world.ts'
import { createRecordFollower } from './record-follower.ts'

function followerOf({ rows, clock }: RecordWorld, given: { mode?: 'sandbox' | 'live' } = {}) {
  const log = createKeptLog()
  const book = createMemoryRecordBook(rows)
  const keyId = testKey(7).id
  return { log, ...createRecordFollower({ clock, log, book, keyId, mode: 'sandbox', ...given }) }
}

async function answersOf(reader: ReturnType<typeof followerOf>['reader'], windowStartS: number) {
  const size = reader.latest().head?.treeSize ?? 0
  return {
    latest: reader.latest(),
    page: await reader.page(0, 1_000),
    heads: await reader.heads(0, size),
    root: size > 0 ? reader.rootHash(size) : undefined,
    proof: size > 1 ? [reader.inclusion(1, size), reader.consistency(1, size)] : [],
    keys: reader.keyChanges(),
    entries: COINS.map((coin) => reader.entryFor(coin, windowStartS)),
    why: COINS.map((coin) => reader.whyNoEntry(coin, windowStartS)),
  }
}

describe('a follower of the record', () => {
  test('answers as its keeper does, from an empty record on, as soon as it hears of a head', async () => {
    const world = createRecordWorld()
    const follower = followerOf(world)
    await follower.start()
    expect(follower.reader.latest().head).toBeUndefined()
    await world.keeper.start()
    for (let n = 0; n < 6; n++) {
      const startS = FIRST_S + n * WINDOW_S
      await world.windows(1, startS)
      follower.heard(world.keeper.reader.latest().head?.treeSize ?? 0)
      await follower.idle()
      expect(await answersOf(follower.reader, startS)).toEqual(await answersOf(world.keeper.reader, startS))
    }
    expect(follower.log.lines).toEqual([])
  })

  test('that begins late has the entries of the open window', async () => {
    const world = createRecordWorld()
    await world.keeper.start()
    await world.windows(5)
    const follower = followerOf(world)
    await follower.start()
    const startS = FIRST_S + 4 * WINDOW_S
    expect(await answersOf(follower.reader, startS)).toEqual(await answersOf(world.keeper.reader, startS))
  })

  test('that hears nothing looks by itself', async () => {
    const world = createRecordWorld()
    await world.keeper.start()
    const follower = followerOf(world)
    await follower.start()
    await world.windows(2)
    await world.to(world.clock.now() + 5_000)
    await follower.idle()
    expect(follower.reader.latest().head).toEqual(world.keeper.reader.latest().head)
    follower.stop()
  })

  test('takes only what a head covers, and says that a record is not the signed one', async () => {
    const world = createRecordWorld()
    await world.keeper.start()
    await world.windows(2)
    const follower = followerOf(world)
    await follower.start()
    const { head } = follower.reader.latest()
    world.rows.leaves.push(world.rows.leaves[0] ?? '')
    follower.heard(1_000)
    await follower.idle()
    expect(follower.reader.latest().head).toEqual(head)
    world.rows.heads.push({ ...(head as NonNullable<typeof head>), treeSize: world.rows.leaves.length })
    follower.heard(1_000)
    await follower.idle()
    expect(follower.log.lines).toMatchObject([
      { cause: expect.stringContaining('not the one that was signed') },
    ])
    // What was true before stays.
    expect(follower.reader.latest().head).toEqual(head)
    expect(follower.reader.whyNoEntry('BTC', FIRST_S)).toBe('the record is being read or written')
  })

  test('is told that another key signs from now on', async () => {
    const world = createRecordWorld()
    await world.keeper.start()
    await world.windows(1)
    const follower = followerOf(world)
    await follower.start()
    expect(follower.otherKey.aborted).toBe(false)
    await world.keeper.stop()
    await changeKey(world.rows, FIRST_KEY, SECOND_KEY, world.clock.now())
    follower.heard(1_000)
    await follower.idle()
    expect(follower.otherKey.aborted).toBe(true)
    expect(follower.log.lines).toEqual([])
  })

  test('of another mode does not start', async () => {
    const world = createRecordWorld()
    await world.keeper.start()
    await world.windows(1)
    await expect(followerOf(world, { mode: 'live' }).start()).rejects.toThrow('of the mode sandbox')
  })
})
