import type { Clock } from '../core/time/clock.ts'
import { ADDRESS_LIMIT } from '../http/request/target.ts'
import { isDone, isUndecided, type Outcome, paying, type Task, toTask, undecided } from './task.ts'
import type { KeptTask, Tasks } from './tasks.ts'

type Ports = { tasks: Tasks; clock: Clock; newId: () => string }
export type TaskIds = { id: string; contextId: string; client: string }
type About = { asked?: KeptTask['asked']; digest?: string | undefined }
export type KeepOutcome = {
  /** The task with this outcome. What is kept may say more: several messages can be about one task at a time. */
  (ids: TaskIds, outcome: Outcome, about?: About): Task
  /** A payment for a task that is kept sets out. */
  begin(ids: TaskIds, digest: string): void
}

/** Payments of one task that are remembered as undecided. */
const MAX_UNDECIDED = 10

export function createKeepOutcome({ tasks, clock, newId }: Ports) {
  const make = ({ id, contextId }: TaskIds, outcome: Outcome): Task =>
    toTask({ id, contextId, messageId: newId(), timestamp: new Date(clock.now()).toISOString() }, outcome)
  const keepOutcome = (ids: TaskIds, outcome: Outcome, { asked, digest }: About = {}): Task => {
    const own = make(ids, outcome)
    const before = tasks.find(ids.id)
    const isPaying = digest !== undefined
    // Another message about the same task was faster.
    if (before && isDone(before.task) && !isDone(own)) return isPaying ? own : before.task
    const others = (before?.undecided ?? []).filter((other) => other !== digest)
    const isWaiting = others.length > 0 && !isDone(own) && !isUndecided(outcome)
    const task = isWaiting ? make(ids, undecided) : own
    const mayBeCharged = isPaying && isUndecided(outcome) ? [digest, ...others] : others
    tasks.keep({
      task,
      client: ids.client,
      asked: canGoOn(outcome) ? fitting(asked ?? before?.asked) : undefined,
      hadPayment: isPaying || before?.hadPayment === true,
      undecided: isDone(own) ? [] : mayBeCharged.slice(0, MAX_UNDECIDED),
    })
    return isPaying ? own : task
  }
  const begin = (ids: TaskIds, digest: string) => {
    const before = tasks.find(ids.id)
    if (!before) return
    const others = before.undecided.filter((other) => other !== digest)
    const kept = { ...before, hadPayment: true, undecided: [digest, ...others].slice(0, MAX_UNDECIDED) }
    tasks.keep({ ...kept, task: make(ids, paying) })
  }
  return Object.assign(keepOutcome, { begin }) satisfies KeepOutcome
}

/** Also where it was canceled or failed: the same payment always leads to its reply. */
const canGoOn = ({ state }: Outcome) => state !== 'COMPLETED' && state !== 'REJECTED'

const fitting = (asked: KeptTask['asked']) =>
  asked && asked.address.length <= ADDRESS_LIMIT ? asked : undefined
