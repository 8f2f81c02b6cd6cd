import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { wilsonInterval } from '../../core/math/wilson.ts'
import { isoTime, Note, Source, Timestamp } from '../fields.ts'
import { roundPrice } from '../market/price.ts'
import { signals } from '../signals/signals.ts'
import { Account, RESULTS_SOURCE, resultsOf, toAccount } from './account.ts'
import { ClosedSignal, lastClosedOf, NO_SIGNAL_NOTE, toClosedSignal } from './closed-signals.ts'
import { Figures, toFigures } from './figures.ts'
import { PREVIEW_MAX_AGE, SAMPLE_MS, TRIAL_LIMIT } from './limits.ts'
import type { BotServices } from './services.ts'
import { TELLING_TRADES } from './win-rate.ts'

const TRIAL_SOURCE = 'record_market_and_bot_ledger'
const Share = z.number().min(0).max(1)

const Predictions = z
  .object({
    called: z.int().min(0).describe('Closed windows for which a direction was called; the others abstained'),
    hits: z.int().min(0),
    hit_rate: Share.nullable().describe('Null while nothing was called'),
    hit_rate_low: Share.describe('Lower bound of its 95 % interval (Wilson)'),
    hit_rate_high: Share,
    hit_rate_means_little: z.boolean().describe(`True below ${TELLING_TRADES} calls`),
  })
  .describe('Of all predictions in the public record')

export const freeTrial = defineEndpoint({
  id: 'bot.free_trial',
  method: 'GET',
  path: '/free-trial',
  access: free,
  summary: 'A real BTC signal with its outcome, the price and the track record, free',
  description: `A sample of what is sold: our BTC signal of the last closed window with its outcome and proof, the price of BTC, and the track record of predictions and of the bot, after fees and never mixing simulated money with real money. Renewed every 60 seconds, 20 calls a day for each client. For the window that is open now call ${signals.path}.`,
  params: z.object({}),
  sample: {},
  limit: TRIAL_LIMIT,
  cacheControl: PREVIEW_MAX_AGE,
  response: z.object({
    timestamp: Timestamp.describe('When this sample was made'),
    source: Source,
    signal: ClosedSignal.nullable().describe('Of the last closed window; null where signal_note says why'),
    signal_note: Note.optional(),
    price: z
      .object({
        token: z.literal('BTC'),
        price_usd: z.number().positive(),
        source: Source,
        timestamp: Timestamp,
      })
      .nullable()
      .describe('Null while no price is fresh'),
    track_record: z.object({
      predictions: Predictions,
      trades: z.object({ source: Source, ...Account.shape, ...Figures.shape }).describe('Of the bot'),
    }),
    next: Note.describe('How to get the signal of the window that is open now'),
  }),
  changes: ({ clock }: BotServices) => Math.floor(clock.now() / SAMPLE_MS),
  handle: async (services: BotServices) => {
    const { record, clock, sourceOf } = services
    const leaf = await lastClosedOf(record, 'BTC')
    return {
      timestamp: isoTime(clock.now()),
      source: sourceOf(TRIAL_SOURCE),
      signal: leaf ? toClosedSignal(leaf, sourceOf) : null,
      ...(!leaf && { signal_note: NO_SIGNAL_NOTE }),
      price: toPrice(services),
      track_record: { predictions: toPredictions(services), trades: toTrades(services) },
      next: `GET ${signals.path}: the first calls of every day are free, then it is paid per call`,
    }
  },
})

function toPrice({ market, sourceOf }: BotServices) {
  const price = market.price('BTC')
  if (!price) return null
  return {
    token: 'BTC' as const,
    price_usd: roundPrice(price.price),
    source: sourceOf(price.source),
    timestamp: isoTime(price.asOfMs),
  }
}

function toPredictions({ record }: BotServices): z.input<typeof Predictions> {
  const { called, hits } = record?.latest().all ?? { called: 0, hits: 0 }
  const { low, high } = wilsonInterval(hits, called)
  return {
    called,
    hits,
    hit_rate: called === 0 ? null : roundShare(hits / called),
    hit_rate_low: roundShare(low),
    hit_rate_high: roundShare(high),
    hit_rate_means_little: called < TELLING_TRADES,
  }
}

function toTrades(services: BotServices) {
  const results = resultsOf(services)
  const broker = results.leading()
  const figures = toFigures(results.total(broker).all)
  return { source: services.sourceOf(RESULTS_SOURCE), ...toAccount(services, broker), ...figures }
}

const roundShare = (share: number) => Math.round(share * 10_000) / 10_000
