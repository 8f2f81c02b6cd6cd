import { describeError } from '../../core/describe-error.ts'
import type { Log } from '../../core/log.ts'
import type { Notes } from '../notes.ts'

type Ports = {
  log: Pick<Log, 'warn'>
  notes: Pick<Notes, 'set'>
  /** Code of the note while it fails. */
  note: string
  run(): Promise<void>
  /** Counts what is under way. */
  track(work: Promise<void>): void
}

/** Begins work that nobody waits for, unless it is under way; what fails is noted until it succeeds. */
export function createAside({ log, notes, note, run, track }: Ports): () => void {
  let isRunning = false
  const attempt = async () => {
    try {
      await run()
      notes.set(note, undefined)
    } catch (err) {
      log.warn({ err, note }, 'work on the side failed')
      notes.set(note, `tried again soon: ${describeError(err)}`)
    } finally {
      isRunning = false
    }
  }
  return () => {
    if (isRunning) return
    isRunning = true
    track(attempt())
  }
}
