import type { Log } from '../core/log.ts'

/** The text is constant; facts go into fields. */
export type FeedLog = Pick<Log, 'debug' | 'info' | 'warn'>
