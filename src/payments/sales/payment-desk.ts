import type { Catalog } from '../../catalog/catalog.ts'
import type { PaymentTerms } from '../../catalog/payment-terms.ts'
import type { Usd } from '../../core/money.ts'
import type { Clock } from '../../core/time/clock.ts'
import { DAY_MS } from '../../core/time/time.ts'
import type { PaymentLedger } from '../../ledger/ports/payment-book-queries.ts'
import type { UsageLog } from '../../ledger/ports/usage-log.ts'
import {
  type FacilitatorState,
  type PaymentDesk,
  PERIODS,
  type Period,
  type Shop,
  USAGE_DAYS,
} from '../../products/payments/services.ts'
import type { ServiceKey } from '../receipts/service-key.ts'
import { createFindPurchase } from './find-purchase.ts'
import { type KeptReport, keepReport } from './keep-report.ts'

export type PaymentDeskPorts = {
  clock: Clock
  ledger: PaymentLedger
  usage: UsageLog
  catalog: Catalog
  terms: PaymentTerms
  facilitators: { health(): readonly FacilitatorState[] }
  key: ServiceKey
  keyChanges: PaymentDesk['keyChanges']
  /** The operator's own wallets: their purchases do not count as sales. */
  operatorWallets: readonly string[]
  refused: PaymentDesk['refused']
  claimTransfer: PaymentDesk['claimTransfer']
}

const PERIOD_MS: Record<Period, number> = {
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  all: Number.POSITIVE_INFINITY,
}

/** The desk, and a way to have every report made anew. */
export type KeepingDesk = PaymentDesk & {
  /** Returns how many were kept. */
  dropReports(): number
}

export function createPaymentDesk(ports: PaymentDeskPorts): KeepingDesk {
  const { clock, usage, terms, key, facilitators } = ports
  const sales = createSales(ports)
  const overview = keepReport(clock, () => ports.ledger.overview(ports.operatorWallets))
  const calls = keepReport(clock, () => usage.perDay(clock.now() - (USAGE_DAYS - 1) * DAY_MS))
  return {
    accepts: terms.accepts,
    receiptKeyId: key.id,
    keyChanges: ports.keyChanges,
    shop: describeShop(ports.catalog),
    facilitators: () => facilitators.health(),
    overview,
    sales: (period) => sales[period](),
    usage: calls,
    refused: ports.refused,
    findPurchase: createFindPurchase(ports.ledger),
    claimTransfer: ports.claimTransfer,
    dropReports: () => [overview, calls, ...Object.values(sales)].filter(({ drop }) => drop()).length,
  }
}

type Sales = Record<Period, KeptReport<Awaited<ReturnType<PaymentDesk['sales']>>>>

function createSales({ clock, ledger, operatorWallets }: PaymentDeskPorts): Sales {
  const salesOf = (period: Period) =>
    keepReport(clock, async () => {
      const fromMs = Math.max(0, clock.now() - PERIOD_MS[period])
      return { ...(await ledger.totals({ sinceMs: fromMs, exceptPayers: operatorWallets })), fromMs }
    })
  return Object.fromEntries(PERIODS.map((period) => [period, salesOf(period)])) as Sales
}

function describeShop({ paid, routes }: Catalog): Shop {
  const prices = paid.map(({ access }) => access.price).sort((a, b) => (a < b ? -1 : 1))
  return {
    products: paid.length,
    addresses: routes.filter(({ endpoint }) => endpoint.access.kind === 'paid').length,
    cheapest: prices[0] ?? (0n as Usd),
    dearest: prices.at(-1) ?? (0n as Usd),
  }
}
