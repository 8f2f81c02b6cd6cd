import type { FacilitatorPool } from '../../../src/payments/facilitators/facilitators.ts'
import type {
  FacilitatorMember,
  Fault,
  MemberReply,
  SettleReply,
} from '../../../src/payments/facilitators/members/member.ts'
import type { SignedBook } from '../people/authorization.ts'

/** Checks the one rule of failover: a payment that may have been executed goes to no other facilitator in that round. */
export type Doubts = {
  watch(member: FacilitatorMember): FacilitatorMember
  perRound(pool: FacilitatorPool): FacilitatorPool
}

/** Findings of the simulated facilitators that come before any broadcast. */
const NOT_READ: readonly Fault[] = ['unreachable', 'edge', 'busy']
const CERTAIN = ['insufficient_', 'signature', 'valid_before', 'fee_payer_mismatch']

export function createDoubts(signed: SignedBook, resent: string[]): Doubts {
  const inDoubt = new Set<string>()
  return {
    watch: (member) => ({
      ...member,
      async settle(request, signal) {
        const { key } = signed.ofPayload(request.paymentPayload)
        if (inDoubt.has(key)) resent.push(key)
        inDoubt.add(key)
        const reply = await member.settle(request, signal)
        if (didNothing(reply)) inDoubt.delete(key)
        return reply
      },
    }),
    perRound: (pool) => ({
      ...pool,
      settle(payment, failedAt) {
        inDoubt.delete(payment.key)
        return pool.settle(payment, failedAt)
      },
    }),
  }
}

function didNothing(reply: MemberReply<SettleReply>): boolean {
  if (reply.kind === 'fault') return NOT_READ.includes(reply.fault)
  const { success, reason = '' } = reply.answer
  return !success && CERTAIN.some((finding) => reason.includes(finding))
}
