import type { Log } from '../core/log.ts'

/** Constant text, facts as fields. */
export type FeedLog = Pick<Log, 'debug' | 'info' | 'warn'>
