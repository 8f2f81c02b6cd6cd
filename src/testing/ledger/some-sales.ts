import { DAY_MS } from '../../core/time/time.ts'
import type { Claim } from '../../ledger/ports/payment-book.ts'
import type { Store } from '../../ledger/ports/store.ts'
import { settling } from './payment-contract.ts'
import { sampleOutcome } from './sample-claim.ts'

export async function sale(
  store: Store,
  key: string,
  settledAtMs: number,
  given: Partial<Claim> = {},
): Promise<void> {
  await settling(store, key, given)
  await store.payments.settle(key, sampleOutcome({ settledAtMs, transaction: `0xAb${key}` }))
}

/** Four sales of two days to three payers; one payment is still open, one is void. */
export async function someSales(store: Store): Promise<void> {
  await sale(store, 'a', 5, { payer: '0xAA', amount: '1000', productId: 'price' })
  await sale(store, 'b', DAY_MS + 1, { payer: '0xAA', amount: '20000', productId: 'whales' })
  await sale(store, 'c', DAY_MS + 2, {
    payer: 'SoL',
    amount: '1000',
    productId: 'price',
    network: 'solana:5',
  })
  await sale(store, 'own', DAY_MS + 3, { payer: '0xOwN', amount: '7', productId: 'price' })
  await settling(store, 'open', { payer: '0xBB' })
  await settling(store, 'void', { payer: '0xBB' })
  await store.payments.void('void')
}
