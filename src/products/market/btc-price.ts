import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { usd } from '../../core/money.ts'
import { ServiceError } from '../../core/service-error.ts'
import { isoTime, PriceKind, Source, Timestamp } from '../fields.ts'
import { roundPrice } from './price.ts'
import type { MarketServices } from './services.ts'

const OraclePrice = z.object({
  token: z.literal('BTC'),
  price_usd: z.number().positive(),
  price_kind: PriceKind,
  source: Source,
  timestamp: Timestamp,
})

export const btcPrice = defineEndpoint({
  id: 'market.btc_price',
  method: 'GET',
  path: '/btc-price',
  access: paid(usd('0.0001')),
  summary: 'Spot price of BTC from the oracle feed',
  description:
    'The newest spot tick of the oracle that resolves five-minute BTC markets, one tick a second, never older than ten seconds.',
  title: () => 'BTC spot price of the oracle',
  brings: 'The price of BTC by the feed that decides five-minute markets, with the second it was read.',
  params: z.object({}),
  sample: {},
  response: OraclePrice,
  freshForMs: 10_000,
  changes: ({ market }: MarketServices) => market.oracle('BTC').last.spot,
  handle: ({ market, sourceOf }: MarketServices) => {
    const tick = market.oracle('BTC').last.spot
    if (!tick) throw new ServiceError('upstream_unavailable', 'no BTC spot price of the oracle is known now')
    return {
      token: 'BTC' as const,
      price_usd: roundPrice(tick.price),
      price_kind: 'spot' as const,
      source: sourceOf(tick.source),
      timestamp: isoTime(tick.atMs),
    }
  },
})
