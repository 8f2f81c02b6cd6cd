import { A2aError } from './a2a-error.ts'
import { isOpen, type Outcome } from './task.ts'
import type { KeptTask } from './tasks.ts'

/** What may still be charged cannot be called off: it is not in our hands any more. */
export function checkCancelable({ task, undecided }: KeptTask): void {
  if (undecided.length > 0)
    throw new A2aError(
      'TASK_NOT_CANCELABLE',
      'a payment for this task was sent and may still be charged; send the same payment again to get its reply, or ask GetTask what became of it',
    )
  if (!isOpen(task)) throw new A2aError('TASK_NOT_CANCELABLE', 'this task is over')
}

export const canceled = ({ hadPayment }: Pick<KeptTask, 'hadPayment'>): Outcome => ({
  state: 'CANCELED',
  text: `Canceled. ${chargeOf(hadPayment)}`,
})

export const turnedDown = ({ hadPayment }: Pick<KeptTask, 'hadPayment'>): Outcome => ({
  state: 'CANCELED',
  text: `The terms were turned down. ${chargeOf(hadPayment)}`,
  metadata: { 'x402.payment.status': 'payment-rejected' },
})

/** Only where no payment was ever sent is it certain that none is charged. */
const chargeOf = (hadPayment: boolean) =>
  hadPayment
    ? 'A payment that was sent for it before was not taken.'
    : 'No payment was sent for it: nothing was charged.'
