import type { Clock } from '../../core/time/clock.ts'
import type { Breaker } from './breaker.ts'
import type { Load, Place } from './load.ts'
import type { FacilitatorMember, FacilitatorRequest, MemberReply, VerifyReply } from './members/member.ts'
import { within } from './within.ts'

/**
 * Whether a facilitator that failed on payments of strangers, or was too slow with them, is down, or only those payments
 * are odd: wallets cost nothing, and three of them closed it to everybody. What it told anybody a moment ago is a sign of
 * life. Else it is asked once more about one that it found good before: any answer is one, also that this one is used by
 * now. Checking moves no money.
 */
export type ProofOfLife = {
  /** Asks it, and remembers what it found good. */
  verify: (
    network: string,
    request: FacilitatorRequest,
    signal: AbortSignal,
  ) => Promise<MemberReply<VerifyReply>>
  /**
   * It failed on a payment: tells the breaker, but asks first where that would open it. `payer`: where faults of one count
   * as one.
   */
  failed(network: string, breaker: Breaker, payer: string | undefined): void
}
type Ports = { clock: Clock; limitMs: number; member: Pick<FacilitatorMember, 'verify'>; load: Load }

/** For so long after an answer a facilitator is not taken for down because of what it was asked by others. */
const ALIVE_MS = 3_000

/** Networks come from our own terms, so there are few of them. */
export function createProofOfLife({ clock, limitMs, member, load }: Ports): ProofOfLife {
  const good = new Map<string, FacilitatorRequest>()
  const asking = new Set<string>()
  const answeredMs = new Map<string, number>()
  const isAlive = (network: string) =>
    clock.now() - (answeredMs.get(network) ?? Number.NEGATIVE_INFINITY) < ALIVE_MS
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
      if (reply.kind !== 'answer') return reply
      answeredMs.set(network, clock.now())
      if (reply.answer.isValid) good.set(network, request)
      return reply
    },
    failed(network, breaker, payer) {
      const request = good.get(network)
      if (!request || !breaker.wouldOpen(payer)) return breaker.failed(payer)
      if (asking.has(network)) return
      if (isAlive(network)) return breaker.undecided()
      const place = load.enter()
      // It has asked to be left alone, or all of its places are taken.
      if (typeof place === 'number') breaker.failed(payer)
      else void askOnce(network, request, breaker, place)
    },
  }
}
