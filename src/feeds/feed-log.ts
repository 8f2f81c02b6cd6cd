import type { Log } from '../core/log.ts'

/** The text is constant; facts go into fields. */
export type FeedLog = Pick<Log, 'debug' | 'info' | 'warn'>

/** Says no more once stopped: what fails then fails because of the stop. */
export function logUntil(stopped: AbortSignal, log: FeedLog): FeedLog {
  const until =
    (say: Log['warn']): Log['warn'] =>
    (facts, text) => {
      if (!stopped.aborted) say(facts, text)
    }
  return { debug: until(log.debug), info: until(log.info), warn: until(log.warn) }
}
