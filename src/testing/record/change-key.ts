import { createRecordLog } from '../../record/log/record-log.ts'
import type { HeadKey } from '../../record/log/signed-head.ts'
import { createMemoryRecordBook, type MemoryRecordRows } from '../ledger/memory-record-book.ts'
import { createRecordWorld, FIRST_S, testKey } from './record-world.ts'
import { askOf, fetchAll } from './replies.ts'
import { type Doc, toDoc } from './tampering.ts'

/** Replaces the key of a record whose service is stopped; without `old.sign` the key is lost. */
export async function changeKey(
  rows: MemoryRecordRows,
  old: { id: string; sign?: HeadKey['sign'] },
  next: HeadKey,
  atMs: number,
): Promise<void> {
  const log = createRecordLog({ book: createMemoryRecordBook(rows), key: old, mode: 'sandbox' })
  await log.catchUp()
  await log.changeKey(next, atMs)
}

export const FIRST_KEY = testKey(7)
export const SECOND_KEY = testKey(9)
export const THIRD_KEY = testKey(11)

/** Windows under each of three keys: the first is rotated, the second lost. */
export async function makeRekeyed(windows: number): Promise<Doc> {
  let world = createRecordWorld()
  const live = async (from: number) => {
    await world.keeper.start()
    await world.windows(windows, FIRST_S + from * windows * 300)
    await world.keeper.stop()
    return world.clock.now() + 1_000
  }
  const firstEndMs = await live(0)
  await changeKey(world.rows, FIRST_KEY, SECOND_KEY, firstEndMs)
  world = createRecordWorld({ rows: world.rows, key: SECOND_KEY, nowMs: firstEndMs + 1_000 })
  const secondEndMs = await live(1)
  await changeKey(world.rows, { id: SECOND_KEY.id }, THIRD_KEY, secondEndMs)
  world = createRecordWorld({ rows: world.rows, key: THIRD_KEY, nowMs: secondEndMs + 1_000 })
  await live(2)
  return toDoc(await fetchAll(askOf(world)))
}
