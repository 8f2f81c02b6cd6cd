import type { Clock } from '../../core/time/clock.ts'
import type { RefusedReport } from '../../products/payments/services.ts'
import type { Gate } from './gate.ts'
import { REFUSALS, type RefusalReason } from './refusal.ts'

export type RefusedPayments = {
  /** The same gate; every payment that it answers with 402 is counted by its reason. */
  watch(gate: Gate): Gate
  report(): RefusedReport
}

/** Counts since the start of the process: there are as many as there are reasons. */
export function createRefusedPayments({ clock }: { clock: Pick<Clock, 'now'> }): RefusedPayments {
  const sinceMs = clock.now()
  const counts = new Map<RefusalReason, { count: number; lastMs: number }>()
  const count = (reason: RefusalReason) =>
    counts.set(reason, { count: (counts.get(reason)?.count ?? 0) + 1, lastMs: clock.now() })
  return {
    watch: (gate) => ({
      ...gate,
      async admit(purchase, work) {
        const admission = await gate.admit(purchase, work)
        if (admission.kind === 'refused' && purchase.payment && admission.reason) count(admission.reason)
        return admission
      },
    }),
    report: () => ({
      sinceMs,
      reasons: [...counts]
        .map(([reason, counted]) => ({ reason, meaning: REFUSALS[reason], ...counted }))
        .sort((a, b) => b.count - a.count),
    }),
  }
}
