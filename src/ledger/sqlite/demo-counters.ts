import type { DatabaseSync } from 'node:sqlite'
import type { CallLimit, DemoCounters, Taken } from '../ports/demo-counters.ts'
import { createDayMirror } from './day-mirror.ts'
import type { GroupCommit } from './group-commit.ts'

/** About 3 ms of work; those that come later wait for the next write. */
const STEPS_MAX = 256

export function createSqliteDemoCounters(db: DatabaseSync, commit: GroupCommit): DemoCounters {
  const select = db.prepare('SELECT client, used FROM demo_calls WHERE day = ?')
  const forget = db.prepare('DELETE FROM demo_calls WHERE day < ?')
  const readDay = (day: number) =>
    new Map(select.all(day).map((row) => [String(row.client), Number(row.used)]))
  const mirror = createDayMirror(db, readDay)
  const steps = createSteps(db, commit, mirror)
  let newestDay = 0

  const turnDay = (day: number) => {
    if (day <= newestDay) return
    newestDay = day
    // What could not be forgotten only takes up room.
    commit.write(() => forget.run(day - 1)).catch(() => {})
  }
  return {
    load: (day) => commit.read(() => readDay(day)),
    used: (day, keys) => commit.read(() => usedOf(mirror.of(day), keys)),
    async take(day, limits) {
      turnDay(day)
      const keys = limits.map(([key]) => key)
      // Who has nothing left costs no write; who seems to have something is looked at once, with the write.
      const over = await commit.read(() =>
        findOver(
          limits,
          keys,
          () => mirror.guess(day),
          () => mirror.of(day),
        ),
      )
      if (over) return { isTaken: false, used: over }
      return steps.add(day, (counts, add): Taken => {
        const isTaken = !isOver(limits, usedOf(counts, keys))
        if (isTaken) for (const key of keys) add(key, 1)
        return { isTaken, used: usedOf(counts, keys) }
      })
    },
    giveBack: (day, keys) =>
      steps.add(day, (_, add) => {
        for (const key of keys) add(key, -1)
      }),
  }
}

const usedOf = (counts: ReadonlyMap<string, number>, keys: readonly string[]): number[] =>
  keys.map((key) => counts.get(key) ?? 0)

/** What was used where nothing is left by either of the counts. */
function findOver(
  limits: readonly CallLimit[],
  keys: readonly string[],
  ...looks: readonly (() => ReadonlyMap<string, number>)[]
): readonly number[] | undefined {
  let used: readonly number[] | undefined
  for (const look of looks) {
    used = usedOf(look(), keys)
    if (!isOver(limits, used)) return undefined
  }
  return used
}

const isOver = (limits: readonly CallLimit[], used: readonly number[]): boolean =>
  limits.some(([, limit], at) => (used[at] ?? 0) >= limit)

type Add = (key: string, calls: number) => void
type Step<T = unknown> = (counts: ReadonlyMap<string, number>, add: Add) => T
type Batch = { day: number; steps: Step[]; written: Promise<unknown[]> }

/** Collects what one turn of the event loop does to the counts of a day: each of them is written once. */
function createSteps(db: DatabaseSync, commit: GroupCommit, mirror: ReturnType<typeof createDayMirror>) {
  const save = db.prepare(`
    INSERT INTO demo_calls (day, client, used) VALUES (?, ?, ?)
    ON CONFLICT (day, client) DO UPDATE SET used = excluded.used
  `)
  const remove = db.prepare('DELETE FROM demo_calls WHERE day = ? AND client = ?')
  let gathering: Batch | undefined

  /** In one transaction, beside which no other process can write. */
  const run = (day: number, steps: readonly Step[]): unknown[] => {
    const counts = mirror.of(day)
    const changed = new Set<string>()
    const add: Add = (key, calls) => {
      const used = Math.max(0, (counts.get(key) ?? 0) + calls)
      // Who has used nothing leaves nothing behind: else calls that fail would fill the table.
      if (used > 0) counts.set(key, used)
      else counts.delete(key)
      changed.add(key)
    }
    const outcomes = steps.map((step) => step(counts, add))
    for (const key of changed) {
      const used = counts.get(key)
      if (used === undefined) remove.run(day, key)
      else save.run(day, key, used)
    }
    return outcomes
  }
  const begin = (day: number): Batch => {
    const steps: Step[] = []
    let hasRun = false
    const written = commit.write(() => {
      if (gathering === batch) gathering = undefined
      // The first run was rolled back, and with it what the mirror shows.
      if (hasRun) mirror.drop()
      hasRun = true
      return run(day, steps)
    })
    const batch: Batch = { day, steps, written }
    written.catch(() => {
      mirror.drop()
      if (gathering === batch) gathering = undefined
    })
    return batch
  }
  return {
    async add<T>(day: number, step: Step<T>): Promise<T> {
      if (gathering?.day !== day || gathering.steps.length >= STEPS_MAX) gathering = begin(day)
      const { steps, written } = gathering
      const at = steps.push(step) - 1
      return (await written)[at] as T
    },
  }
}
