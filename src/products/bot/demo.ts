import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { COINS } from '../../core/coin.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import { isoTime, Note, OwnPath, Source, Timestamp } from '../fields.ts'
import { roundPrice } from '../market/price.ts'
import { dayOf } from '../signals/market-snapshot.ts'
import { ClosedSignal, lastClosed, toClosedSignal } from './closed-signals.ts'
import { PREVIEW_MAX_AGE, SAMPLE_MS } from './limits.ts'
import { midOf } from './market-odds.ts'
import type { BotServices } from './services.ts'

const DEMO_SOURCE = 'market_record_and_polymarket'
const NOTE =
  'signals are of the last closed window, with their outcome; trending_tokens are the four coins that we follow, with the change in percent and the coins traded in 24 hours on the larger venue. What is not known right now is null or left out.'

const Odds = z.object({
  market: z.string().min(1).describe('Slug at the venue'),
  up: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe(
      'Mid price of a share that pays a dollar if the window closes UP; null while bid or ask is missing',
    ),
  down: z.number().min(0).max(1).nullable(),
})

const LiveSample = z.object({
  btc_price_usd: z.number().positive().nullable(),
  signals: z.array(ClosedSignal).max(COINS.length),
  trending_tokens: z.array(
    z.object({
      name: z.enum(COINS),
      price_usd: z.string().min(1),
      volume_24h: z.number().min(0),
      price_change_24h: z.number(),
    }),
  ),
  prediction_market: z.object({
    active_5min_markets: z
      .array(z.string().min(1))
      .max(COINS.length)
      .describe('Slugs of the markets of the window that is open now'),
    example_odds: Odds.nullable(),
  }),
  generated_at: z.int().min(0).describe('Epoch second'),
  note: Note,
})

const Tour = z.object({
  welcome: z.string().min(1),
  description: z.string().min(1),
  endpoints: z.array(
    z.object({
      path: OwnPath,
      description: z.string().min(1),
      price_usdc: z.number().min(0),
      curl_example: z.string().startsWith('curl '),
    }),
  ),
  how_to_pay: z.record(z.string(), z.string().min(1)).describe('Step by step'),
  free_trial: z.string().min(1),
})

export const demo = defineEndpoint({
  id: 'bot.demo',
  method: 'GET',
  path: '/demo',
  access: free,
  summary: 'A live sample of everything that is sold, and how to buy it',
  description:
    'The price of BTC, our signals of the last closed window with their outcome, the coins that we follow, the open five-minute markets with example odds, and every paid endpoint with its price and a command to copy. Renewed every 60 seconds.',
  params: z.object({}),
  sample: {},
  cacheControl: PREVIEW_MAX_AGE,
  response: z.object({
    welcome: Tour.shape.welcome,
    description: Tour.shape.description,
    timestamp: Timestamp,
    source: Source,
    live_sample: LiveSample,
    endpoints: Tour.shape.endpoints,
    how_to_pay: Tour.shape.how_to_pay,
    free_trial: Tour.shape.free_trial,
  }),
  changes: ({ clock }: BotServices) => Math.floor(clock.now() / SAMPLE_MS),
  handle: async (services: BotServices) => {
    const { welcome, description, endpoints, how_to_pay, free_trial } = services.tour
    const live_sample = await toLiveSample(services)
    return {
      welcome,
      description,
      timestamp: isoTime(live_sample.generated_at * SECOND_MS),
      source: services.sourceOf(DEMO_SOURCE),
      live_sample,
      endpoints: [...endpoints],
      how_to_pay: { ...how_to_pay },
      free_trial,
    }
  },
})

async function toLiveSample(services: BotServices): Promise<z.input<typeof LiveSample>> {
  const { market, record, clock, sourceOf } = services
  const closed = await lastClosed(record)
  const price = market.price('BTC')
  return {
    btc_price_usd: price ? roundPrice(price.price) : null,
    signals: closed.map((leaf) => toClosedSignal(leaf, sourceOf)),
    trending_tokens: toTokens(services),
    prediction_market: toPredictionMarket(services),
    generated_at: Math.floor(clock.now() / SECOND_MS),
    note: NOTE,
  }
}

/** The largest change first. */
function toTokens({ market }: BotServices): z.input<typeof LiveSample>['trending_tokens'] {
  const tokens = COINS.flatMap((coin) => {
    const price = market.price(coin)
    const { change_24h_percent, volume_24h } = dayOf(market, coin)
    if (!price || change_24h_percent === null || volume_24h === null) return []
    const price_usd = String(roundPrice(price.price))
    return { name: coin, price_usd, volume_24h, price_change_24h: change_24h_percent }
  })
  return tokens.sort((a, b) => Math.abs(b.price_change_24h) - Math.abs(a.price_change_24h))
}

function toPredictionMarket({ fiveMinute }: BotServices): z.input<typeof LiveSample>['prediction_market'] {
  const odds = COINS.flatMap((coin) => {
    const open = fiveMinute.open(coin)
    return open ? { market: open.market.slug, up: midOf(open.up), down: midOf(open.down) } : []
  })
  // Shortly before the close nobody sells what is about to win: another coin is the better example then.
  const example = odds.find(({ up, down }) => up !== null && down !== null) ?? odds[0]
  return { active_5min_markets: odds.map(({ market }) => market), example_odds: example ?? null }
}
