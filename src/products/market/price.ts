import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { COINS, type Coin, findCoin } from '../../core/coin.ts'
import { usd } from '../../core/money.ts'
import { ServiceError } from '../../core/service-error.ts'
import { shorten } from '../../core/shorten.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { TOKEN_LOOKS } from '../look-limits.ts'
import type { MarketServices } from './services.ts'

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** A symbol of up to 12 letters or digits, or a contract address; which of them are known is another question. */
const Token = z
  .string()
  .regex(
    /^(?:[A-Za-z0-9]{1,12}|0x[0-9a-fA-F]{40})$/,
    'must be a symbol such as BTC or a 0x… contract address',
  )
  .describe('Symbol such as BTC, ETH, SOL or XRP, or the address of a token contract on Base')

const TokenPrice = z.object({
  token: z.string().describe('The symbol, or the address in lower case'),
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
    'Of a coin: mid of the dollar venue, or the USDT venue corrected by the tracked basis when the first is silent, never older than ten seconds. Of a token on Base by its contract address: the price of the source that sees more liquidity behind it, never older than a minute; not where two sources are more than a factor of two apart. Else 503 and no charge.',
  brings: 'The price right now, with where it was read and when.',
  params: z.object({ token: Token }),
  title: ({ token }) =>
    `${findCoin(token) ?? (ADDRESS.test(token) ? shorten(token) : token)} price in US dollars`,
  sample: { token: 'BTC' },
  response: TokenPrice,
  tool: 'get_price',
  // Prices of coins end earlier: the market gives none that is older than ten seconds.
  freshForMs: MINUTE_MS,
  checkExists: ({ tokens }: MarketServices, { token }, mayLook) => {
    if (tokens && ADDRESS.test(token)) return tokens.checkExists(token, mayLook)
    coinOf(token)
  },
  lookLimit: TOKEN_LOOKS,
  changes: ({ market, tokens }: MarketServices, { token }) =>
    tokens && ADDRESS.test(token) ? tokens.priceState(token) : market.price(coinOf(token))?.version,
  handle: (services: MarketServices, { token }) =>
    services.tokens && ADDRESS.test(token)
      ? contractPrice(services, token)
      : coinPrice(services, coinOf(token)),
})

function coinPrice({ market, sourceOf }: MarketServices, coin: Coin): z.input<typeof TokenPrice> {
  const found = market.price(coin)
  if (!found) throw new ServiceError('upstream_unavailable', `no fresh ${coin} price from any venue`)
  return {
    token: coin,
    price_usd: roundPrice(found.price),
    source: sourceOf(found.source),
    timestamp: isoTime(found.asOfMs),
  }
}

async function contractPrice(
  { tokens, sourceOf }: MarketServices,
  token: string,
): Promise<z.input<typeof TokenPrice>> {
  const found = await tokens?.price(token)
  if (!found) throw new ServiceError('upstream_unavailable', `no source has a fresh price of ${token}`)
  return {
    token: token.toLowerCase(),
    price_usd: roundPrice(found.priceUsd),
    source: sourceOf(found.source),
    timestamp: isoTime(found.asOfMs),
  }
}

function coinOf(token: string): Coin {
  const coin = findCoin(token)
  if (coin) return coin
  throw new ServiceError('unknown_token', `${token} is not a token we price; nothing was charged`, {
    hint: `known are ${COINS.join(', ')} and contract addresses of tokens on Base`,
  })
}

/** Averages leave digits behind that no venue quotes. */
const PRICE_DIGITS = 12
export const roundPrice = (value: number): number => Number(value.toPrecision(PRICE_DIGITS))
