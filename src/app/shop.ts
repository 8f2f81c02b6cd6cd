import { createRateCounters } from '../access/rate-counters.ts'
import { accountGroup } from '../account/group.ts'
import type { AccountServices } from '../account/services.ts'
import { createReplies, type Replies } from '../catalog/encoded-reply.ts'
import { bindGroup, findHandler, type Handlers, joinHandlers } from '../catalog/handlers.ts'
import { createPaidMint, type PaidMint } from '../catalog/paid.ts'
import type { ClosedCall, Site } from '../catalog/site.ts'
import { DEFAULT_SITE } from '../config/variables/service.ts'
import type { Clock } from '../core/time/clock.ts'
import { WINDOW_S } from '../core/time/window.ts'
import { createFindOffer } from '../http/sell/find-offer.ts'
import type { Writer } from '../intel/writer/writer.ts'
import type { Store } from '../ledger/ports/store.ts'
import { adminGroup } from '../operator/admin/group.ts'
import { tradeGroup } from '../operator/trade/group.ts'
import { pageGroup } from '../pages/group.ts'
import type { ServiceKey } from '../payments/receipts/service-key.ts'
import { createPaymentDesk } from '../payments/sales/payment-desk.ts'
import { botGroup } from '../products/bot/group.ts'
import type { LiveServices } from '../products/bot/live/live.ts'
import { briefGroup } from '../products/briefs/group.ts'
import { createChatGroup } from '../products/chat/group.ts'
import { communityGroup } from '../products/community/group.ts'
import { derivativesGroup } from '../products/derivatives/group.ts'
import { diagnosisGroup } from '../products/diagnosis/group.ts'
import { directoryGroup } from '../products/directory/group.ts'
import { marketGroup } from '../products/market/group.ts'
import { paymentGroup } from '../products/payments/group.ts'
import { predictionGroup } from '../products/prediction-markets/group.ts'
import { recordGroup } from '../products/record/group.ts'
import { sentimentGroup } from '../products/sentiment/group.ts'
import { serviceGroup } from '../products/service/group.ts'
import { signalGroup } from '../products/signals/group.ts'
import { tokenGroup } from '../products/tokens/group.ts'
import { walletGroup } from '../products/wallets/group.ts'
import { whaleGroup } from '../products/whales/group.ts'
import type { KeyLeaf } from '../record/log/leaf.ts'
import { createChatServices } from './chat.ts'
import type { NamedCache } from './operator/commands.ts'
import type { OperatorServices, ShopParts } from './operator/operator.ts'
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
  payments: Pick<Payments, 'terms' | 'pool' | 'refused'>
  claimTransfers: OpenPayments['claimTransfers']
  services: Omit<GroupServices, 'payments' | 'chat'>
  /** Phrases what the chat says. */
  chatWriter: Writer
  account: AccountServices
  /** Makes the services of the operator's groups; undefined where another process serves them. */
  operator: ((shop: ShopParts) => OperatorServices) | undefined
}

/** Services to handlers to replies. All that is for sale is bound first, so that a transfer can be traded for it. */
export function openShop(parts: Parts): Shop {
  const { clock, site, services, claimTransfers } = parts
  const { mint, redeem } = createPaidMint()
  site.lastCall = lastCallOf(services.bot.live)
  const forSale = joinHandlers([
    bindGroup(marketGroup, services.market),
    bindGroup(signalGroup, services.signals),
    bindGroup(predictionGroup, services.prediction),
    bindGroup(botGroup, services.bot),
    bindGroup(tokenGroup, services.tokens),
    bindGroup(diagnosisGroup, services.diagnosis),
    bindGroup(walletGroup, services.wallets),
    bindGroup(sentimentGroup, services.sentiment),
    bindGroup(derivativesGroup, services.derivatives),
    bindGroup(whaleGroup, services.whales),
    bindGroup(directoryGroup, services.directory),
    bindGroup(briefGroup, services.briefs),
  ])
  for (const { id } of site.catalog.paid) findHandler(forSale.products, id)
  const offered = createReplies(forSale.products, redeem)
  const findOffer = createFindOffer(site.catalog, offered)
  const desk = openDesk(parts, claimTransfers({ mint, findOffer, counters: createRateCounters({ clock }) }))
  const payments = { clock, payments: desk, mode: site.mode, sourceOf: services.market.sourceOf }
  const chat = createChatServices({
    ...{ clock, site, writer: parts.chatWriter, sourceOf: services.market.sourceOf },
    // Made below, of handlers of which the chat is one.
    reply: (...asked) => replies.reply(...asked),
  })
  const open = joinHandlers([
    forSale,
    bindGroup(recordGroup, services.record),
    bindGroup(paymentGroup, payments),
    bindGroup(communityGroup, services.community),
    bindGroup(createChatGroup(DEFAULT_SITE), chat),
    bindGroup(serviceGroup, services.service),
    bindGroup(accountGroup, parts.account),
    bindGroup(pageGroup, { site, live: services.bot.live }),
  ])
  const caches: NamedCache[] = [
    { name: 'sales_reports', drop: desk.dropReports },
    { name: 'replies_for_transfers', drop: offered.drop },
    { name: 'replies', drop: () => replies.drop() },
  ]
  const operator = parts.operator?.({ payments: desk, caches })
  const handlers = joinHandlers([open, ...(operator ? bindOperator(operator) : [])])
  const replies = createReplies(handlers.products, redeem)
  return { services: { ...services, payments, chat }, handlers, replies, mint }
}

/** What the home page shows of BTC. */
const lastCallOf = (live: LiveServices['live']) => (): ClosedCall | undefined => {
  const call = live.now().signals?.at(-1)
  return call && { ...call, window_end: call.window_start + WINDOW_S }
}

const bindOperator = ({ trade, admin }: OperatorServices): Handlers[] => [
  bindGroup(tradeGroup, trade),
  bindGroup(adminGroup, admin),
]

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
    refused: payments.refused.report,
    operatorWallets: [payTo.evm, payTo.svm].filter((address) => address !== undefined),
    claimTransfer,
  })
}
