import { silentLog } from '../../core/log.ts'
import { type Clock, sleep } from '../../core/time/clock.ts'
import { createFacilitators } from '../../payments/facilitators/facilitators.ts'
import { PUBLIC_LIMITS } from '../../payments/facilitators/load.ts'
import type { FacilitatorMember } from '../../payments/facilitators/members/member.ts'
import type { Payment } from '../../payments/gate/payment.ts'
import type { Facilitators } from '../../payments/gate/ports.ts'

type Slow = { clock: Clock; verifyMs: number; lookMs: number; hasMoney(payer: string): boolean }

/** The real pool with one public facilitator and a node, whose answers take their time by the clock of a test. */
export function createSlowPool({ clock, verifyMs, lookMs, hasMoney }: Slow) {
  const asked = { verify: 0, balance: 0, mostVerify: 0 }
  let underWay = 0
  const member: FacilitatorMember = {
    name: 'slow',
    limits: PUBLIC_LIMITS,
    async verify({ paymentPayload }) {
      asked.verify++
      asked.mostVerify = Math.max(asked.mostVerify, ++underWay)
      await sleep(clock, verifyMs)
      underWay--
      const isValid = hasMoney(String(paymentPayload.payer))
      return { kind: 'answer', answer: { isValid, reason: isValid ? undefined : 'insufficient_funds' } }
    },
    async settle() {
      await sleep(clock, verifyMs)
      return { kind: 'answer', answer: { success: true, reason: undefined, transaction: '0x1' } }
    },
    supported: async () => ({ kind: 'fault', fault: 'unreachable' }),
  }
  const facilitators: Facilitators = createFacilitators({
    ...{ clock, log: silentLog, random: () => 0, members: [member] },
    async lookAtPayer({ payer }: Payment) {
      asked.balance++
      await sleep(clock, lookMs)
      return { hasFunds: hasMoney(payer), isUnused: true }
    },
  })
  const outcome = async ({ payer }: Payment) => {
    await sleep(clock, lookMs)
    return hasMoney(payer) ? ({ kind: 'paid', transaction: '0x1' } as const) : ({ kind: 'open' } as const)
  }
  return { asked, facilitators, outcome }
}
