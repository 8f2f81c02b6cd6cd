import { LONGEST_HOLD_MS, type LoadLimits } from '../../../src/payments/facilitators/load.ts'
import type { FacilitatorMember, MemberReply } from '../../../src/payments/facilitators/members/member.ts'
import { VERIFY_TIMEOUT_MS } from '../../../src/payments/facilitators/monitored-facilitator.ts'
import { TRY_AGAIN } from '../../../src/payments/facilitators/tries.ts'
import type { Timeline } from '../timeline.ts'

/** Whether a process keeps within the limits of a facilitator and leaves one alone that asked for it. */
export function watchManners(
  timeline: Timeline,
  member: FacilitatorMember,
  rude: string[],
): FacilitatorMember {
  const { limits } = member
  // Known buyers may try while it asks to be left alone, one at a time and after a pause.
  const verify = watchStep(timeline, { limits: limits?.verify, mayTry: true }, (what) =>
    rude.push(`${member.name} verify ${what}`),
  )
  const settle = watchStep(timeline, { limits: limits?.settle, mayTry: false }, (what) =>
    rude.push(`${member.name} settle ${what}`),
  )
  return {
    ...member,
    verify: (...asked) => verify(() => member.verify(...asked)),
    settle: (...asked) => settle(() => member.settle(...asked)),
  }
}

/** A bucket that is a little late may hold one call more than ours. */
const TOLERATED_CALLS = 1

type Allowed = { limits: LoadLimits | undefined; mayTry: boolean }

function watchStep(timeline: Timeline, { limits, mayTry }: Allowed, report: (what: string) => void) {
  const calls: number[] = []
  let leftAloneUntilMs = 0
  let triesFromMs = 0
  /** When each that is under way began; one that is never answered is given up at its time limit. */
  const tries = new Set<number>()
  return async <T>(call: () => Promise<MemberReply<T>>): Promise<MemberReply<T>> => {
    const nowMs = timeline.now()
    const isTry = nowMs < leftAloneUntilMs
    const isTrying = [...tries].some((fromMs) => nowMs < fromMs + VERIFY_TIMEOUT_MS)
    if (isTry && (!mayTry || isTrying || nowMs < triesFromMs)) report('while it asked to be left alone')
    calls.push(nowMs)
    if (limits && isTooMany(calls, limits)) report('more often than the limit')
    if (isTry) tries.add(nowMs)
    const reply = await call().finally(() => {
      tries.delete(nowMs)
    })
    if (reply.waitMs === undefined) return reply
    // Those that were under way before it said so begin no pause anew.
    if (isTry || timeline.now() >= leftAloneUntilMs) triesFromMs = timeline.now() + TRY_AGAIN.firstMs
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
