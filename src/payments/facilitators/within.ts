import type { Clock } from '../../core/time/clock.ts'
import { faulty, type MemberReply } from './members/member.ts'

/** Ends a call at its time limit and ignores a later reply. A call that throws may have been executed. */
export function within<T>(
  clock: Clock,
  limitMs: number,
  call: (signal: AbortSignal) => Promise<MemberReply<T>>,
): Promise<MemberReply<T>> {
  const abort = new AbortController()
  return new Promise((resolve) => {
    const cancel = clock.after(limitMs, () => {
      abort.abort()
      resolve(faulty('timeout'))
    })
    call(abort.signal)
      .catch(() => faulty('reset'))
      .then((reply) => {
        cancel()
        resolve(reply)
      })
  })
}
