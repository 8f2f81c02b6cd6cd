import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { COINS, type Coin, findCoin } from '../../core/coin.ts'
import { usd } from '../../core/money.ts'
import { ServiceError } from '../../core/service-error.ts'
import { isoTime, Source, sampleTime, Timestamp } from '../fields.ts'
import type { MarketServices } from './services.ts'

/** A symbol of up to 12 letters or digits, or a contract address; which of them are known is another question. */
const Token = z
  .string()
  .regex(
    /^(?:[A-Za-z0-9]{1,12}|0x[0-9a-fA-F]{40})$/,
    'must be a symbol such as BTC or a 0x… contract address',
  )
  .describe('Symbol such as BTC, ETH, SOL or XRP')

const TokenPrice = z.object({
  token: z.string(),
  price_usd: z.number().positive(),
  source: Source,
  timestamp: Timestamp,
})

export const price = defineEndpoint({
  id: 'market.price',
  method: 'GET',
  path: '/price/{token}',
  aliases: [{ path: '/price/eth', preset: { token: 'ETH' } }],
  access: paid(usd('0.001')),
  summary: 'Live price of a token in US dollars',
  description:
    'Mid of the dollar venue, or the USDT venue corrected by the tracked basis when the first is silent. Never older than ten seconds: else 503 and no charge.',
  params: z.object({ token: Token }),
  title: ({ token }) => `${findCoin(token) ?? token} price in US dollars`,
  sample: { token: 'BTC' },
  response: TokenPrice,
  example: { token: 'BTC', price_usd: 100012.34, source: 'coinbase_mid', timestamp: sampleTime },
  tool: 'get_price',
  freshForMs: 10_000,
  checkExists: (_: MarketServices, { token }) => void coinOf(token),
  changes: ({ market }: MarketServices, { token }) => market.price(coinOf(token))?.version,
  handle: ({ market, sourceOf }: MarketServices, { token }) => {
    const coin = coinOf(token)
    const found = market.price(coin)
    if (!found) throw new ServiceError('upstream_unavailable', `no fresh ${coin} price from any venue`)
    return {
      token: coin,
      price_usd: roundPrice(found.price),
      source: sourceOf(found.source),
      timestamp: isoTime(found.asOfMs),
    }
  },
})

function coinOf(token: string): Coin {
  const coin = findCoin(token)
  if (coin) return coin
  throw new ServiceError('unknown_token', `${token} is not a token we price; nothing was charged`, {
    hint: `known are ${COINS.join(', ')}`,
  })
}

/** Averages leave digits behind that no venue quotes. */
const PRICE_DIGITS = 12
export const roundPrice = (value: number): number => Number(value.toPrecision(PRICE_DIGITS))
