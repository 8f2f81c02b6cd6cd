import { LONGEST_HOLD_MS, type LoadLimits } from '../../../src/payments/facilitators/load.ts'
import type { FacilitatorMember, MemberReply } from '../../../src/payments/facilitators/members/member.ts'
import type { Timeline } from '../timeline.ts'

/** Whether a process keeps within the limits of a facilitator and leaves one alone that asked for it. */
export function watchManners(
  timeline: Timeline,
  member: FacilitatorMember,
  rude: string[],
): FacilitatorMember {
  const { limits } = member
  const verify = watchStep(timeline, limits?.verify, (what) => rude.push(`${member.name} verify ${what}`))
  const settle = watchStep(timeline, limits?.settle, (what) => rude.push(`${member.name} settle ${what}`))
  return {
    ...member,
    verify: (...asked) => verify(() => member.verify(...asked)),
    settle: (...asked) => settle(() => member.settle(...asked)),
  }
}

/** A bucket that is a little late may hold one call more than ours. */
const TOLERATED_CALLS = 1

function watchStep(timeline: Timeline, limits: LoadLimits | undefined, report: (what: string) => void) {
  const calls: number[] = []
  let leftAloneUntilMs = 0
  return async <T>(call: () => Promise<MemberReply<T>>): Promise<MemberReply<T>> => {
    const nowMs = timeline.now()
    if (nowMs < leftAloneUntilMs) report('while it asked to be left alone')
    calls.push(nowMs)
    if (limits && isTooMany(calls, limits)) report('more often than the limit')
    const reply = await call()
    if (reply.waitMs !== undefined)
      leftAloneUntilMs = Math.max(leftAloneUntilMs, timeline.now() + Math.min(reply.waitMs, LONGEST_HOLD_MS))
    return reply
  }
}

/** In any span that ends now. */
function isTooMany(calls: readonly number[], { burst, perSecond }: LoadLimits): boolean {
  const nowMs = calls.at(-1) ?? 0
  return calls.some((fromMs, index) => {
    const allowed = burst + ((nowMs - fromMs) / 1000) * perSecond + TOLERATED_CALLS
    return calls.length - index > allowed
  })
}
