import type { Config } from '../config/config.ts'
import { SERVICE } from '../core/service.ts'
import type { Clock } from '../core/time/clock.ts'
import type { MarketServices } from '../products/market/services.ts'
import type { PaymentServices } from '../products/payments/services.ts'
import type { PredictionServices } from '../products/prediction-markets/services.ts'
import type { PublicRecord, RecordServices } from '../products/record/services.ts'
import type { ServiceServices } from '../products/service/services.ts'
import type { SignalServices } from '../products/signals/services.ts'
import { createSignPlayPayment } from '../sandbox/play-payment.ts'
import type { OpenMarket } from './market.ts'
import type { PaymentRails } from './payment-rails.ts'

/** What the handlers of each group may use. They have never heard of HTTP, MCP or headers. */
export type GroupServices = {
  market: MarketServices
  signals: SignalServices
  prediction: PredictionServices
  record: RecordServices
  payments: PaymentServices
  service: ServiceServices
}

/** What is known of the prediction-market venue. */
export type Prediction = Pick<PredictionServices, 'fiveMinute' | 'list' | 'account'>

type Parts = {
  config: Config
  clock: Clock
  open: Pick<OpenMarket, 'market' | 'signals'>
  prediction: Prediction
  record: PublicRecord
  health: ServiceServices['health']
  money: Pick<PaymentRails, 'wallets'>
}

/** The services of every group but payments, which is built later because it needs the products. */
export function createServices(parts: Parts): Omit<GroupServices, 'payments'> {
  const { config, clock, record, health, money, prediction } = parts
  const { market, signals } = parts.open
  const prefix = config.mode === 'sandbox' ? 'sandbox:' : ''
  const sourceOf = (source: string) => `${prefix}${source}`
  return {
    market: { clock, market, sourceOf },
    signals: { clock, market, signals, record, sourceOf },
    prediction: { clock, market, signals, record, sourceOf, ...prediction },
    record: { clock, record, sourceOf },
    service: {
      clock,
      market,
      health,
      wallets: money.wallets?.fresh,
      signPlayPayment: money.wallets && createSignPlayPayment(money.wallets),
      about: { mode: config.mode, version: SERVICE.version, startedAtMs: clock.now() },
    },
  }
}
