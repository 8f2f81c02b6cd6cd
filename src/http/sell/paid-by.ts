import type { CallVia } from '../../core/log.ts'
import { shorten } from '../../core/shorten.ts'
import type { Admission } from '../../payments/gate/gate.ts'

/** Who bore the cost, for the log. */
export function paidBy(admission: Exclude<Admission, { kind: 'refused' }>): { via: CallVia; payer?: string } {
  if (admission.kind === 'demo') return { via: 'demo' }
  if (admission.kind === 'holder') return { via: 'holder', payer: shorten(admission.holder.wallet) }
  return { via: admission.isReplay ? 'replay' : 'paid', payer: shorten(admission.row.payer) }
}
