import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { COINS } from '../../core/coin.ts'
import { usd } from '../../core/money.ts'
import { ServiceError } from '../../core/service-error.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { DERIVATIVES_VENUES } from '../../intel/derivatives/derivatives.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { oldestMs } from '../part-fields.ts'
import { toWholeMarketFields, WholeMarketFields } from '../sentiment/whole-market-fields.ts'
import { CoinIntel } from './coin-fields.ts'
import type { DerivativesServices } from './services.ts'
import { toCoinIntel } from './to-coin-intel.ts'

/** One venue alone shows neither a divergence nor the market. */
const MIN_VENUES = 2
const FRESH_MS = 5 * MINUTE_MS

export const marketIntel = defineEndpoint({
  id: 'intel.market',
  method: 'GET',
  path: '/market-intel',
  access: paid(usd('0.05')),
  summary: 'Dominance, funding, open interest, funding divergence and cascade risk of BTC, ETH, SOL and XRP',
  description:
    'Perpetual futures of four venues: funding for eight hours whatever the interval, open interest of one side in dollars and its change in coins, divergence of funding between venues, liquidations as the venues tell of them (Binance only the largest of each second), liquidation-cascade risk 0 to 100 with parts and reasons, and BTC dominance. Each part says its source, time and status. Needs two venues for BTC: else 503 and no charge.',
  title: () => 'Futures and dominance of the market',
  brings:
    'Funding, open interest, forced sales and their risk over four futures venues, and the share of BTC in the market.',
  params: z.object({}),
  sample: {},
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    whole_market: WholeMarketFields,
    coins: z.array(CoinIntel),
  }),
  tool: 'get_market_intel',
  freshForMs: FRESH_MS,
  changes: ({ derivatives, wholeMarket }: DerivativesServices) => {
    const { status, asOfMs } = wholeMarket()
    return `${derivatives.version()}|${status}|${asOfMs}`
  },
  handle: (services: DerivativesServices) => {
    const { derivatives, wholeMarket, sourceOf } = services
    const parts = DERIVATIVES_VENUES.map((venue) => derivatives.perpetual(venue, 'BTC'))
    const told = parts.filter(({ value }) => value !== undefined)
    // A venue more that is older does not make the reply older: its part says so.
    const essential = told.toSorted((a, b) => (b.asOfMs ?? 0) - (a.asOfMs ?? 0)).slice(0, MIN_VENUES)
    const asOfMs = oldestMs(essential)
    if (told.length < MIN_VENUES || asOfMs === undefined)
      throw new ServiceError(
        'upstream_unavailable',
        `${told.length} of ${parts.length} derivatives venues answer for BTC, ${MIN_VENUES} are needed`,
      )
    return {
      timestamp: isoTime(asOfMs),
      source: sourceOf(told.map(({ source }) => source).join('+')),
      whole_market: toWholeMarketFields(wholeMarket(), sourceOf),
      coins: COINS.map((coin) => toCoinIntel(services, coin)),
    }
  },
})
