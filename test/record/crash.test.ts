import { expect, test } from 'vitest'
import { checkRecord } from '../../src/cli/verify-record/check-record.ts'
import type { RecordBook } from '../../src/ledger/ports/record-book.ts'
import { COMMIT_LEAD_MS } from '../../src/record/windows/windows.ts'
import {
  createMemoryRecordBook,
  createMemoryRecordRows,
} from '../../src/testing/ledger/memory-record-book.ts'
import { createRecordWorld, FIRST_S, type RecordWorld } from '../../src/testing/record/record-world.ts'
import { askOf, fetchAll } from '../../src/testing/record/replies.ts'
import { searchSize } from '../../src/testing/search-size.ts'

/** What happens at the chosen call: the process dies or an error comes back, before or after the ledger has done it. */
const FAULTS = ['dies before', 'dies after', 'fails before', 'fails after'] as const
type Fault = (typeof FAULTS)[number]
const WINDOWS = 8
const STEP = searchSize('crash-step')
const RESTART_AFTER_MS = [0, 1_500, 60_000, 900_000, 8_000_000]

/** Every call of the ledger is an await of the keeper; the one numbered `at` goes wrong. */
function faultyBook(book: RecordBook, at: number, fault: Fault) {
  const died = Promise.withResolvers<'died'>()
  let calls = 0
  let isDead = false
  let isOver = false
  const spoil = async (call: () => Promise<unknown>) => {
    if (isDead) return new Promise(() => {})
    if (isOver || calls++ !== at) return call()
    if (fault.endsWith('after')) await call()
    if (fault.startsWith('fails')) throw new Error('the ledger is out of order')
    isDead = true
    died.resolve('died')
    return new Promise(() => {})
  }
  const entries = Object.entries(book).map(([name, method]) => [
    name,
    (...args: unknown[]) => spoil(() => (method as (...given: unknown[]) => Promise<unknown>)(...args)),
  ])
  return {
    book: Object.fromEntries(entries) as RecordBook,
    died: died.promise,
    /** From now on all goes well; says how many calls there were. */
    end() {
      isOver = true
      return calls
    },
  }
}

/** True when it went through to the end. */
async function live({ clock, keeper }: RecordWorld, died: Promise<'died'>): Promise<boolean> {
  const survives = async (work: Promise<unknown>) => (await Promise.race([work, died])) !== 'died'
  if (!(await survives(keeper.start()))) return false
  for (let n = 0; n < WINDOWS; n++)
    for (const offsetMs of [-COMMIT_LEAD_MS, -COMMIT_LEAD_MS + 600, 200, 1_200]) {
      clock.advanceTo((FIRST_S + n * 300) * 1000 + offsetMs)
      if (!(await survives(keeper.idle()))) return false
    }
  return true
}

/** Lives on from what a crash left: twenty windows more, then everybody may check. */
async function flawsAfter(world: RecordWorld): Promise<string[]> {
  const nextS = Math.ceil((world.clock.now() + COMMIT_LEAD_MS) / 300_000) * 300
  await world.windows(20, nextS)
  return (await checkRecord(await fetchAll(askOf(world)), undefined, world.clock.now())).untrue
}

test('whatever call of the ledger fails or is the last, what follows is a record without a flaw', async () => {
  let [runs, deaths, at] = [0, 0, 0]
  const found = new Set<string>()
  for (let isBeyond = false; !isBeyond; at += STEP)
    for (const fault of FAULTS)
      for (const restartAfterMs of fault.startsWith('dies') ? RESTART_AFTER_MS : [0]) {
        const rows = createMemoryRecordRows()
        const faulty = faultyBook(createMemoryRecordBook(rows), at, fault)
        const first = createRecordWorld({ rows, book: faulty.book })
        const isAlive = await live(first, faulty.died).catch((error) => {
          // Only at start, where the service then does not start either.
          expect(String(error)).toMatch(/out of order/)
          return false
        })
        isBeyond = faulty.end() <= at
        const nowMs = first.clock.now() + restartAfterMs
        const world = isAlive ? first : createRecordWorld({ rows, nowMs })
        if (!isAlive) await world.keeper.start()
        expect([at, fault, restartAfterMs, await flawsAfter(world)]).toEqual([at, fault, restartAfterMs, []])
        for (const text of rows.leaves) found.add(`${JSON.parse(text).kind} ${JSON.parse(text).reason ?? ''}`)
        runs++
        if (!isAlive) deaths++
      }
  console.info(
    `record crashes: ${runs} runs, ${at} calls of the ledger in steps of ${STEP}, ${deaths} restarted; ${[...found].sort().join(', ')}`,
  )
  expect(at).toBeGreaterThan(15)
  expect([...found]).toEqual(expect.arrayContaining(['missed not_running', 'reveal no_open_price']))
})

test('a second death while the first is being recovered from changes nothing about that', async () => {
  for (const at of [3, 4, 5, 6])
    for (let again = 0; again < 8; again += STEP)
      for (const fault of ['dies before', 'dies after'] as const) {
        const rows = createMemoryRecordRows()
        const one = faultyBook(createMemoryRecordBook(rows), at, fault)
        const first = createRecordWorld({ rows, book: one.book })
        expect(await live(first, one.died)).toBe(false)
        const two = faultyBook(createMemoryRecordBook(rows), again, fault)
        const second = createRecordWorld({ rows, book: two.book, nowMs: first.clock.now() + 700_000 })
        await Promise.race([
          second.keeper.start().then(() => second.to(second.clock.now() + 250_000)),
          two.died,
        ])
        two.end()
        const third = createRecordWorld({ rows, nowMs: second.clock.now() + 400_000 })
        await third.keeper.start()
        expect([at, again, fault, await flawsAfter(third)]).toEqual([at, again, fault, []])
      }
})
