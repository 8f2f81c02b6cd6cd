import type { Clock } from '../core/time/clock.ts'
import { HOUR_MS } from '../core/time/time.ts'
import type { Asking } from './find-skill.ts'
import type { Task } from './task.ts'

/** A task is as secret as its id, which nobody can guess. */
export type KeptTask = { task: Task; asking: Asking; client: string; changedAtMs: number }
export type Tasks = {
  keep(kept: Omit<KeptTask, 'changedAtMs'>): void
  find(id: string): KeptTask | undefined
}

const MAX_TASKS = 1_000
/** So that one client cannot push out the tasks of all others. */
const MAX_PER_CLIENT = 50
const KEPT_MS = HOUR_MS

/** In memory: who has lost a task sends the whole message again, and a payment brings its stored reply. */
export function createTasks(clock: Clock): Tasks {
  /** The one that changed longest ago is first. */
  const kept = new Map<string, KeptTask>()
  const forget = (isOver: (task: KeptTask) => boolean) => {
    for (const [id, task] of kept) if (isOver(task)) kept.delete(id)
  }
  const makeRoom = (client: string) => {
    const own = [...kept].filter(([, task]) => task.client === client)
    if (own.length >= MAX_PER_CLIENT) kept.delete((own[0] as (typeof own)[0])[0])
    for (const id of kept.keys()) {
      if (kept.size < MAX_TASKS) break
      kept.delete(id)
    }
  }
  return {
    keep(task) {
      const nowMs = clock.now()
      kept.delete(task.task.id)
      forget(({ changedAtMs }) => nowMs - changedAtMs > KEPT_MS)
      makeRoom(task.client)
      kept.set(task.task.id, { ...task, changedAtMs: nowMs })
    },
    find(id) {
      const task = kept.get(id)
      return task && clock.now() - task.changedAtMs <= KEPT_MS ? task : undefined
    },
  }
}
