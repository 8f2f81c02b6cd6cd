import type { Payment } from '../gate/payment.ts'
import type { RefusalReason } from '../gate/refusal.ts'

/** What the token of one network says about who may move it. Both throw where the chain cannot be asked. */
export type Token = {
  /** Why nobody can pay us, in words for everybody; undefined where nothing stands in the way. */
  findClosure(): Promise<string | undefined>
  /** Why this one payer cannot. */
  findPayerProblem(payment: Payment): Promise<RefusalReason | undefined>
}
