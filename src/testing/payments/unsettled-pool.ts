import { silentLog } from '../../core/log.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { EVM_NETWORK } from '../../payments/challenge/terms.ts'
import { OPENS_AFTER_FAULTS } from '../../payments/facilitators/breaker.ts'
import { createFacilitators } from '../../payments/facilitators/facilitators.ts'
import type { FacilitatorMember, MemberReply } from '../../payments/facilitators/members/member.ts'
import type { Payment } from '../../payments/gate/payment.ts'
import { NOW_MS } from './sample-evm.ts'

/** The real pool with one facilitator that finds every payment good and moves none, though our node shows that it could. */
export async function openUnsettledPool(networks: readonly string[] = [EVM_NETWORK]) {
  const clock = createManualClock(NOW_MS)
  let isMended = false
  let isAway = false
  let payers = 0
  const reply = <T>(answer: T): MemberReply<T> =>
    isAway ? { kind: 'fault', fault: 'unreachable' } : { kind: 'answer', answer }
  const member: FacilitatorMember = {
    name: 'pay.example',
    verify: async () => reply({ isValid: true, reason: undefined }),
    settle: async () =>
      reply(
        isMended
          ? { success: true, reason: undefined, transaction: '0x1' }
          : { success: false, reason: 'unexpected_settle_error', transaction: undefined },
      ),
    supported: async () => reply(networks.map((network) => ({ network, feePayers: [] }))),
  }
  const pool = createFacilitators({
    ...{ clock, log: silentLog, random: () => 0.5, members: [member] },
    lookAtPayer: async () => ({ hasFunds: true, isUnused: true, hasCode: false }),
  })
  await pool.refresh()
  const trySettle = async (network = EVM_NETWORK) => {
    await pool.settle(paymentOf(`payer-${++payers}`, network))
    // Why nothing was moved is looked into after the answer.
    await new Promise(setImmediate)
  }
  return {
    clock,
    pool,
    trySettle,
    async tryVerify() {
      await pool.verify(paymentOf(`payer-${++payers}`, EVM_NETWORK), false).catch(() => {})
    },
    /** Where it is, nothing listens there. */
    setAway(value: boolean) {
      isAway = value
    },
    /** Until its breaker opens. */
    async failOften() {
      for (let times = 0; times < OPENS_AFTER_FAULTS; times++) await trySettle()
    },
    /** Whether the gate would take a payment now. */
    takesPayments: () =>
      pool.ready(paymentOf('anybody', EVM_NETWORK)).then(
        () => true,
        () => false,
      ),
    mend() {
      isMended = true
    },
  }
}

const paymentOf = (payer: string, network: string): Payment => ({
  ...{ version: 2, key: payer, network, payer, payload: {}, digest: payer },
  requirement: {
    ...{ scheme: 'exact', network, amount: '1000', asset: 'usdc', payTo: 'us' },
    ...{ maxTimeoutSeconds: 300, extra: {} },
  },
  validBeforeMs: undefined,
  identifier: undefined,
})
