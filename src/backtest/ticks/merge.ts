import { DAY_MS } from '../../core/time/time.ts'
import type { Tick } from './tick.ts'
import type { TickFile } from './tick-file.ts'

/** Whose clock a replay runs on. */
export type ReplayClock = 'exchange' | 'local'
export type TimedTick = { atMs: number; tick: Tick }
export type MergedTicks = { clock: ReplayClock; batches: AsyncGenerator<readonly TimedTick[]> }

/** A longer silence means a wrong time or a different recording. */
const SILENCE_MAX_MS = DAY_MS

/**
 * Merges files by time; in the same millisecond, rows of the first file come first. The exchange's time is used if every
 * file has it, else the recorder's for all: the two clocks may be seconds apart, and mixing them would replay rows
 * before they were known.
 */
export async function mergeTicks(files: readonly TickFile[]): Promise<MergedTicks> {
  const firsts = await Promise.all(files.map(firstBatch))
  const clock = firsts.every(([tick]) => tick?.exchangeMs !== undefined) ? 'exchange' : 'local'
  const cursors = files.map((file, at) => createCursor(file, firsts[at] ?? [], clock))
  return { clock, batches: merge(cursors) }
}

async function firstBatch({ file, batches }: TickFile): Promise<readonly Tick[]> {
  const { value, done } = await batches.next()
  if (done) throw new Error(`${file}, line 2: there are no rows`)
  return value
}

type Cursor = {
  /** The next tick; undefined when the current batch is used up. */
  peek(): TimedTick | undefined
  skip(): void
  /** False at the end of the file. Call it only when `peek` has nothing. */
  refill(): Promise<boolean>
}

function createCursor({ file, batches }: TickFile, first: readonly Tick[], clock: ReplayClock): Cursor {
  let newestMs: number | undefined
  const timed = (tick: Tick): TimedTick => {
    const atMs = clock === 'exchange' ? tick.exchangeMs : tick.localMs
    const fault =
      atMs === undefined
        ? `${clock === 'exchange' ? 'ts_exch' : 'ts_local'} is empty, and the rows are put in order by it`
        : atMs < (newestMs ?? atMs)
          ? 'time goes back'
          : atMs - (newestMs ?? atMs) > SILENCE_MAX_MS
            ? 'more than a day after the row before it'
            : undefined
    if (fault !== undefined || atMs === undefined) throw new Error(`${file}, line ${tick.line}: ${fault}`)
    newestMs = atMs
    return { atMs, tick }
  }
  let ticks = first
  let at = 0
  let next: TimedTick | undefined
  return {
    peek() {
      const tick = ticks[at]
      if (!next && tick) next = timed(tick)
      return next
    },
    skip() {
      at++
      next = undefined
    },
    async refill() {
      const { value, done } = await batches.next()
      ticks = done ? [] : value
      at = 0
      return !done
    },
  }
}

async function* merge(cursors: readonly Cursor[]): AsyncGenerator<readonly TimedTick[]> {
  let left = [...cursors]
  assertSameDay(left)
  while (left.length > 0) {
    const batch: TimedTick[] = []
    for (let from = earliest(left); from; from = earliest(left)) {
      batch.push(from.peek() as TimedTick)
      from.skip()
    }
    if (batch.length > 0) yield batch
    const isLeft = await Promise.all(left.map((cursor) => cursor.peek() !== undefined || cursor.refill()))
    left = left.filter((_, at) => isLeft[at])
  }
}

/** Undefined as soon as one of them needs a new batch, whose first row may be earlier. */
function earliest(cursors: readonly Cursor[]): Cursor | undefined {
  let found: Cursor | undefined
  let foundMs = Number.POSITIVE_INFINITY
  for (const cursor of cursors) {
    const next = cursor.peek()
    if (!next) return undefined
    if (next.atMs >= foundMs) continue
    found = cursor
    foundMs = next.atMs
  }
  return found
}

function assertSameDay(cursors: readonly Cursor[]): void {
  const startsMs = cursors.map((cursor) => cursor.peek()?.atMs ?? 0)
  if (Math.max(...startsMs) - Math.min(...startsMs) > SILENCE_MAX_MS)
    throw new Error('the files begin more than a day apart')
}
