import { createReplies, type Replies } from '../catalog/encoded-reply.ts'
import { bindGroup, findHandler, type Handlers, joinHandlers } from '../catalog/handlers.ts'
import { createPaidMint, type PaidMint } from '../catalog/paid.ts'
import type { Site } from '../catalog/site.ts'
import type { Clock } from '../core/time/clock.ts'
import { createFindOffer } from '../http/respond/find-offer.ts'
import type { Store } from '../ledger/ports/store.ts'
import type { ServiceKey } from '../payments/receipts/service-key.ts'
import { createPaymentDesk } from '../payments/sales/payment-desk.ts'
import { marketGroup } from '../products/market/group.ts'
import { paymentGroup } from '../products/payments/group.ts'
import { predictionGroup } from '../products/prediction-markets/group.ts'
import { recordGroup } from '../products/record/group.ts'
import { serviceGroup } from '../products/service/group.ts'
import { signalGroup } from '../products/signals/group.ts'
import type { KeyLeaf } from '../record/log/leaf.ts'
import type { PaymentRails } from './payment-rails.ts'
import type { OpenPayments, Payments } from './payments.ts'
import type { GroupServices } from './services.ts'

export type Shop = { services: GroupServices; handlers: Handlers; replies: Replies; mint: PaidMint['mint'] }

type Parts = {
  clock: Clock
  site: Site
  store: Pick<Store, 'payments' | 'usage'>
  key: ServiceKey
  keyChanges: readonly KeyLeaf[]
  money: Pick<PaymentRails, 'payTo'>
  payments: Pick<Payments, 'terms' | 'pool'>
  claimTransfers: OpenPayments['claimTransfers']
  services: Omit<GroupServices, 'payments'>
}

/** Services to handlers to replies. All that is for sale is bound first, so that a transfer can be traded for it. */
export function openShop(parts: Parts): Shop {
  const { clock, site, services, claimTransfers } = parts
  const { mint, redeem } = createPaidMint()
  const forSale = joinHandlers([
    bindGroup(marketGroup, services.market),
    bindGroup(signalGroup, services.signals),
    bindGroup(predictionGroup, services.prediction),
  ])
  for (const { id } of site.catalog.paid) findHandler(forSale.products, id)
  const findOffer = createFindOffer(site.catalog, createReplies(forSale.products, redeem))
  const desk = openDesk(parts, claimTransfers({ mint, findOffer }))
  const payments = { clock, payments: desk, mode: site.mode, sourceOf: services.market.sourceOf }
  const handlers = joinHandlers([
    forSale,
    bindGroup(recordGroup, services.record),
    bindGroup(paymentGroup, payments),
    bindGroup(serviceGroup, services.service),
  ])
  return {
    services: { ...services, payments },
    handlers,
    replies: createReplies(handlers.products, redeem),
    mint,
  }
}

/** The operator's own wallets are those money goes to: what they buy is no sale. */
function openDesk(
  { clock, site, store, payments, key, keyChanges, money }: Parts,
  claimTransfer: ReturnType<Parts['claimTransfers']>,
) {
  const { payTo } = money
  return createPaymentDesk({
    clock,
    ledger: store.payments,
    usage: store.usage,
    catalog: site.catalog,
    terms: payments.terms,
    facilitators: payments.pool,
    key,
    keyChanges,
    operatorWallets: [payTo.evm, payTo.svm].filter((address) => address !== undefined),
    claimTransfer,
  })
}
