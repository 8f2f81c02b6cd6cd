import { ReplyError } from 'ioredis'
import { describeError } from '../../core/describe-error.ts'
import { ServiceError } from '../../core/service-error.ts'

/** By the first word of what Redis answers. */
const KINDS: Readonly<Record<string, string>> = {
  READONLY: 'it is a replica, which can only be read',
  OOM: 'it has no room',
  MISCONF: 'it cannot save',
  WRONGTYPE: 'a key of ours holds something else',
  NOAUTH: 'it wants a password',
  WRONGPASS: 'it refuses the name or password',
  NOPERM: 'its user may not do that',
  LOADING: 'it is still starting',
  BUSY: 'it is busy with a script',
}

/** Before version 7 Redis wraps what a script ran into in words of its own. */
export const isReadOnly = ({ message }: Error): boolean => /\bREADONLY\b/.test(message)

const UNREACHABLE = 'it cannot be reached, or does not answer in time'

/** For logs: what stands against Redis, without its address, which may hold a password, and without keys of clients. */
export function explainRedisFault(error: unknown): string {
  // Its type says nothing of what it is.
  if (!(error instanceof Error && error instanceof ReplyError)) return UNREACHABLE
  const word = isReadOnly(error) ? 'READONLY' : (error.message.split(' ', 1)[0] ?? '')
  return KINDS[word] ?? 'it refuses what it was asked'
}

/** For callers. */
export function countersLost(cause?: unknown): ServiceError {
  return new ServiceError('counters_unavailable', 'this call could not be counted; nothing was charged', {
    cause,
  })
}

/** For logs: of what a call to Redis was rejected with, which is worded for those who wait for a count. */
export const describeRedisFault = (error: unknown): string =>
  error instanceof ServiceError && error.code === 'counters_unavailable'
    ? `redis: ${explainRedisFault(error.cause)}`
    : describeError(error)
