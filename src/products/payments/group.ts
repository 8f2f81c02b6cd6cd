import type { Group } from '../../catalog/group.ts'
import { receipts } from './receipts.ts'
import type { PaymentServices } from './services.ts'
import { verifyTx } from './verify-tx.ts'
import { x402Analytics } from './x402-analytics.ts'
import { x402Stats } from './x402-stats.ts'
import { x402Status } from './x402-status.ts'

export const paymentGroup: Group<PaymentServices> = {
  tag: 'payments',
  about: 'What was paid, by whom and for what, and other ways to pay.',
  endpoints: [x402Status, x402Stats, x402Analytics, receipts, verifyTx],
}
