import { type FacilitatorMember, type FacilitatorRequest, faulty, type MemberReply } from './member.ts'
import { parseSettle, parseSupported, parseVerify } from './wire.ts'

/** The facilitator interface of the x402 packages, as far as we use it. */
export type FacilitatorClient = {
  verify(payload: unknown, requirements: unknown): Promise<unknown>
  settle(payload: unknown, requirements: unknown): Promise<unknown>
  getSupported(): Promise<unknown> | unknown
}

/** What a facilitator is called that has no address. */
export const IN_PROCESS = 'in-process'

/** A facilitator inside this process. If it throws, it may have sent the transaction before. */
export function createInProcessMember(name: string, client: FacilitatorClient): FacilitatorMember {
  const call = async <T>(run: () => unknown, parse: (json: unknown) => T): Promise<MemberReply<T>> => {
    let json: unknown
    try {
      json = await run()
    } catch {
      return faulty('server_error')
    }
    try {
      return { kind: 'answer', answer: parse(json) }
    } catch {
      return faulty('unparsable')
    }
  }
  const parts = ({ paymentPayload, paymentRequirements }: FacilitatorRequest) =>
    [paymentPayload, paymentRequirements] as const
  return {
    name,
    verify: (request) => call(() => client.verify(...parts(request)), parseVerify),
    settle: (request) => call(() => client.settle(...parts(request)), parseSettle),
    supported: () => call(() => client.getSupported(), parseSupported),
  }
}
