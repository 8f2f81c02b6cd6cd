import type {
  FacilitatorMember,
  FacilitatorRequest,
  MemberReply,
} from '../../payments/facilitators/members/member.ts'
import { inSpan, type Outcome } from './current.ts'
import { KIND } from './span.ts'

/** The same facilitator. What it says about a payment is one word of ours: its own may quote the payer. */
export function traceMember(member: FacilitatorMember): FacilitatorMember {
  const about = (step: 'verify' | 'settle', { paymentRequirements }: FacilitatorRequest) => ({
    name: `facilitator ${step}`,
    kind: KIND.client,
    attributes: { 'tollbook.facilitator': member.name, 'tollbook.network': paymentRequirements.network },
  })
  return {
    ...member,
    verify: (request, signal) =>
      inSpan(
        about('verify', request),
        () => member.verify(request, signal),
        outcomeOf(({ isValid }) => (isValid ? 'valid' : 'invalid')),
      ),
    settle: (request, signal) =>
      inSpan(
        about('settle', request),
        () => member.settle(request, signal),
        outcomeOf(({ success }) => (success ? 'accepted' : 'refused')),
      ),
  }
}

const outcomeOf =
  <T>(wordOf: (answer: T) => string) =>
  (reply: MemberReply<T>): Outcome =>
    reply.kind === 'fault'
      ? { isError: true, attributes: { 'error.type': reply.fault } }
      : { isError: false, attributes: { 'tollbook.answer': wordOf(reply.answer) } }
