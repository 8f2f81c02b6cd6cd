import type { Clock } from './clock.ts'

export type ManualClock = Required<Clock> & {
  /** Moves time forward, running every task that falls due, in order of its time. */
  advance(ms: number): void
  advanceTo(atMs: number): void
}

type Task = { atMs: number; order: number; repeatMs: number | undefined; run: () => void }

/** A clock that stands still until it is told to move. */
export function createManualClock(startMs: number): ManualClock {
  let nowMs = startMs
  let order = 0
  const tasks = new Set<Task>()

  const schedule = (ms: number, run: () => void, repeatMs?: number) => {
    const task: Task = { atMs: nowMs + Math.max(0, ms), order: order++, repeatMs, run }
    tasks.add(task)
    return () => {
      tasks.delete(task)
    }
  }
  const advanceTo = (atMs: number) => {
    for (let task = nextDue(tasks, atMs); task; task = nextDue(tasks, atMs)) {
      nowMs = Math.max(nowMs, task.atMs)
      if (task.repeatMs === undefined) tasks.delete(task)
      else task.atMs += Math.max(1, task.repeatMs)
      task.run()
    }
    nowMs = Math.max(nowMs, atMs)
  }
  return {
    now: () => nowMs,
    steady: () => nowMs,
    after: (ms, run) => schedule(ms, run),
    every: (ms, run) => schedule(ms, run, ms),
    advance: (ms) => advanceTo(nowMs + ms),
    advanceTo,
  }
}

function nextDue(tasks: Set<Task>, untilMs: number): Task | undefined {
  let next: Task | undefined
  for (const task of tasks) {
    if (task.atMs > untilMs) continue
    if (!next || task.atMs < next.atMs || (task.atMs === next.atMs && task.order < next.order)) next = task
  }
  return next
}
