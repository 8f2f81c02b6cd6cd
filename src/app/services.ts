import type { Site } from '../catalog/document.ts'
import type { PaymentDesk } from '../catalog/payment-desk.ts'
import type { Services } from '../catalog/services.ts'
import type { Config } from '../config/config.ts'
import type { Clock } from '../core/clock.ts'
import { SERVICE } from '../core/service.ts'
import { ServiceError } from '../core/service-error.ts'
import type { Store } from '../ledger/ports/store.ts'
import type { Market } from '../market/market.ts'
import type { ServiceKey } from '../payments/receipts/service-key.ts'
import { createPaymentDesk } from '../payments/sales/payment-desk.ts'
import type { OutsideWorld } from './outside-world.ts'
import type { Payments } from './payments.ts'
import { limitWallets } from './wallets.ts'

type Parts = {
  config: Config
  site: Site
  clock: Clock
  market: Market
  signals: Services['signals']
  record: Services['record']
  health: Services['health']
  store: Store
  payments: Payments
  key: ServiceKey
  surroundings: OutsideWorld
}

/** What handlers may use. */
export function createServices(parts: Parts): Services {
  const { config, clock, market, signals, record, health, surroundings } = parts
  const { wallets } = surroundings.money
  const prefix = config.mode === 'sandbox' ? 'sandbox:' : ''
  return {
    clock,
    market,
    signals,
    record,
    health,
    payments: openDesk(parts),
    wallets: wallets && limitWallets(wallets, clock),
    sourceOf: (source) => `${prefix}${source}`,
    about: { mode: config.mode, version: SERVICE.version, startedAtMs: clock.now() },
  }
}

/** The operator's own wallets are those money goes to: what they buy is no sale. */
function openDesk({ clock, site, store, payments, key, surroundings }: Parts): PaymentDesk {
  const { payTo } = surroundings.money
  return createPaymentDesk({
    clock,
    ledger: store.payments,
    usage: store.usage,
    catalog: site.catalog,
    terms: payments.terms,
    facilitators: payments.pool,
    key,
    operatorWallets: [payTo.evm, payTo.svm].filter((address) => address !== undefined),
    claimTransfer: () => Promise.reject(new ServiceError('shutting_down', 'the service is still starting')),
  })
}
