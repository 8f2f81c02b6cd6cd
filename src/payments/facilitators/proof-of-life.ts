import type { Clock } from '../../core/time/clock.ts'
import type { Breaker } from './breaker.ts'
import type { Load, Place } from './load.ts'
import type { FacilitatorMember, FacilitatorRequest, MemberReply, VerifyReply } from './members/member.ts'
import { within } from './within.ts'

/**
 * Whether a facilitator that failed on payments of strangers is down, or only those payments are odd: wallets cost nothing,
 * and three of them closed it to everybody. It is asked once more about one that it found good before. Any answer is a
 * sign of life, also that this one is used by now. Checking moves no money.
 */
export type ProofOfLife = {
  /** Asks it, and remembers what it found good. */
  verify: (
    network: string,
    request: FacilitatorRequest,
    signal: AbortSignal,
  ) => Promise<MemberReply<VerifyReply>>
  /** It failed on a payment: tells the breaker, but asks first where that would open it. */
  failed(network: string, breaker: Breaker, payer: string): void
}
type Ports = { clock: Clock; limitMs: number; member: Pick<FacilitatorMember, 'verify'>; load: Load }

/** Networks come from our own terms, so there are few of them. */
export function createProofOfLife({ clock, limitMs, member, load }: Ports): ProofOfLife {
  const good = new Map<string, FacilitatorRequest>()
  const asking = new Set<string>()
  const askOnce = async (network: string, request: FacilitatorRequest, breaker: Breaker, place: Place) => {
    asking.add(network)
    // Where it was half open, this is the probe now.
    breaker.undecided()
    breaker.enter()
    const reply = await within(clock, limitMs, (signal) => member.verify(request, signal))
    asking.delete(network)
    if (reply.kind === 'fault' && reply.fault === 'busy') {
      place.refused(reply.waitMs ?? 0)
      return breaker.undecided()
    }
    place.leave()
    if (reply.kind === 'answer' || reply.fault === 'rejected') breaker.succeeded()
    else breaker.failed()
  }
  return {
    async verify(network, request, signal) {
      const reply = await member.verify(request, signal)
      if (reply.kind === 'answer' && reply.answer.isValid) good.set(network, request)
      return reply
    },
    failed(network, breaker, payer) {
      const request = good.get(network)
      if (!request || !breaker.wouldOpen(payer)) return breaker.failed(payer)
      if (asking.has(network)) return
      const place = load.enter()
      // It has asked to be left alone, or all of its places are taken.
      if (typeof place === 'number') breaker.failed(payer)
      else void askOnce(network, request, breaker, place)
    },
  }
}
