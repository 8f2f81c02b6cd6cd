import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { COINS, COINS_LISTED, type Coin } from '../../core/coin.ts'
import { usd } from '../../core/money.ts'
import { ServiceError } from '../../core/service-error.ts'
import { DAY_MS } from '../../core/time/time.ts'
import type { Market } from '../../market/market.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { roundPrice } from '../market/price.ts'
import {
  oldestOf,
  SIGNAL_FRESH_MS,
  signalChanges,
  toVerdict,
  toWindowSpan,
  Verdict,
  WindowSpan,
} from './fields.ts'
import { onceOpen, signalOf } from './open-signal.ts'
import type { SignalServices } from './services.ts'

const SNAPSHOT_SOURCE = 'market_and_signal_engine'
/** A day that lacks more than this at its start has no 24-hour change or volume. */
const DAY_SLACK_MS = 300_000
const PERCENT_DIGITS = 6

export const CoinSnapshot = z.object({
  coin: z.enum(COINS),
  price_usd: z.number().positive(),
  momentum: z
    .number()
    .nullable()
    .describe('Change over the last five closed minutes in percent; null while not warm'),
  ...Verdict.shape,
  ...WindowSpan.shape,
  change_24h_percent: z.number().nullable().describe('Null while less than 24 hours are known'),
  volume_24h: z
    .number()
    .min(0)
    .nullable()
    .describe('Coins traded in 24 hours on the larger venue; null while less than 24 hours are known'),
  source: Source.describe('Of the price'),
  timestamp: Timestamp,
})

export const marketSnapshot = defineEndpoint({
  id: 'market.snapshot',
  method: 'GET',
  path: '/market-snapshot',
  access: paid(usd('0.01')),
  summary: 'Price, momentum, direction and regime of all four coins',
  description:
    'One look at BTC, ETH, SOL and XRP: price, change over five minutes and over 24 hours, volume, and where the open five-minute window is likelier to close. Never older than ten seconds; when a coin lacks a price or a signal it is 503 and not charged.',
  brings: 'Price, change, volume and likely direction of all four coins at one look.',
  params: z.object({}),
  title: () => `Market snapshot of ${COINS_LISTED}`,
  sample: {},
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    count: z.int().min(0),
    coins: z.array(CoinSnapshot),
  }),
  freshForMs: SIGNAL_FRESH_MS,
  changes: (services: SignalServices) => [
    ...signalChanges(services, COINS),
    ...COINS.map((coin) => services.market.price(coin)?.version),
  ],
  handle: (services: SignalServices) =>
    onceOpen(services, COINS, () => {
      const seen = COINS.map((coin) => snapshotOf(services, coin))
      return {
        timestamp: oldestOf(seen.map(({ asOfMs }) => asOfMs)),
        source: services.sourceOf(SNAPSHOT_SOURCE),
        count: seen.length,
        coins: seen.map(({ shown }) => shown),
      }
    }),
})

/** Price and signal of one coin; 503 where either is missing. */
export function snapshotOf(services: SignalServices, coin: Coin) {
  const { market, sourceOf } = services
  const price = market.price(coin)
  if (!price) throw new ServiceError('upstream_unavailable', `no fresh ${coin} price from any venue`)
  const signal = signalOf(services, coin)
  const asOfMs = Math.min(price.asOfMs, signal.asOfMs)
  const { rateOfChange } = signal.indicators
  const shown: z.input<typeof CoinSnapshot> = {
    coin: coin,
    price_usd: roundPrice(price.price),
    momentum: rateOfChange === undefined ? null : roundPercent(rateOfChange),
    ...toVerdict(signal),
    ...toWindowSpan(signal, services.clock.now()),
    ...dayOf(market, coin),
    source: sourceOf(price.source),
    timestamp: isoTime(asOfMs),
  }
  return { asOfMs, shown }
}

/** Change and volume of 24 hours; null while less is known. */
export function dayOf(market: Pick<Market, 'ticker'>, coin: Coin) {
  const ticker = market.ticker('binance', coin)
  if (!ticker || ticker.asOfMs - ticker.fromMs < DAY_MS - DAY_SLACK_MS)
    return { change_24h_percent: null, volume_24h: null }
  return { change_24h_percent: roundPercent(ticker.changePercent), volume_24h: roundPrice(ticker.volume) }
}

const roundPercent = (value: number) => Number(value.toPrecision(PERCENT_DIGITS))
