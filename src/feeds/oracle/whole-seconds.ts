import type { Clock } from '../../core/time/clock.ts'

/** Runs `task` at every whole second of the clock, without drift; the returned function stops it. */
export function everyWholeSecond(clock: Clock, task: () => void): () => void {
  let cancel = () => {}
  const arm = () => {
    cancel = clock.after(1000 - (clock.now() % 1000), () => {
      arm()
      task()
    })
  }
  arm()
  return () => cancel()
}
