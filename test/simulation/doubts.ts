import type { FacilitatorPool } from '../../src/payments/facilitators/facilitators.ts'
import type {
  FacilitatorMember,
  MemberReply,
  SettleReply,
} from '../../src/payments/facilitators/members/member.ts'
import { authorizationIn, keyOf } from './authorization.ts'

/** Checks the one rule of failover: a payment that may have been executed goes to no other facilitator in that round. */
export type Doubts = {
  watch(member: FacilitatorMember): FacilitatorMember
  perRound(pool: FacilitatorPool): FacilitatorPool
}

/** Findings of the simulated facilitators that come before any broadcast. */
const CERTAIN = ['insufficient_', 'signature', 'valid_before', 'fee_payer_mismatch']

export function createDoubts(resent: string[]): Doubts {
  const inDoubt = new Set<string>()
  return {
    watch: (member) => ({
      ...member,
      async settle(request, signal) {
        const key = keyOf(authorizationIn(request.paymentPayload))
        if (inDoubt.has(key)) resent.push(key)
        inDoubt.add(key)
        const reply = await member.settle(request, signal)
        if (didNothing(reply)) inDoubt.delete(key)
        return reply
      },
    }),
    perRound: (pool) => ({
      ...pool,
      settle(payment) {
        inDoubt.delete(payment.key)
        return pool.settle(payment)
      },
    }),
  }
}

function didNothing(reply: MemberReply<SettleReply>): boolean {
  if (reply.kind === 'fault') return reply.fault === 'unreachable' || reply.fault === 'edge'
  const { success, reason = '' } = reply.answer
  return !success && CERTAIN.some((finding) => reason.includes(finding))
}
