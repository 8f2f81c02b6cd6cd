import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { ServiceError } from '../../core/service-error.ts'
import { secondsRemaining, windowAt } from '../../core/time/window.ts'
import type { OracleTick } from '../../feeds/events.ts'
import type { Market } from '../../market/market.ts'
import { isoTime, PriceKind, Source, Timestamp, WindowEdge } from '../fields.ts'
import { roundPrice } from './price.ts'
import type { MarketServices } from './services.ts'

/** The oracle ticks once a second; the reply is renewed twice as often, so that the age it states stays true. */
const UPDATE_MS = 500 as const
const HISTORY_LIMIT_S = 3_600

const Resolution = z.object({
  token: z.literal('BTC'),
  price_usd: z.number().positive(),
  price_kind: PriceKind,
  source: Source,
  timestamp: Timestamp,
  tick_age_ms: z.int().min(0).describe('Age of the last tick when this reply was made'),
  update_ms: z.literal(UPDATE_MS),
  window: z.object({
    window_start: WindowEdge,
    window_end: WindowEdge,
    seconds_remaining: z.int().min(0),
    open_price_usd: z
      .number()
      .positive()
      .nullable()
      .describe('Price to beat; null when its second was not seen'),
    direction_now: z
      .enum(['UP', 'DOWN'])
      .nullable()
      .describe('How the window would resolve now; a tie is UP'),
  }),
  history: z.array(z.tuple([z.int(), z.number().positive()])).describe('[epoch second, price], oldest first'),
})

export const btcResolve = defineEndpoint({
  id: 'market.btc_resolve',
  method: 'GET',
  path: '/btc-resolve',
  access: free,
  summary: 'Live BTC price that five-minute markets resolve on',
  description:
    'The 60-second average of the oracle feed, its age, the current window with the price to beat, and up to an hour of past ticks. Renewed every half second.',
  params: z.object({
    history: z.int().min(0).max(HISTORY_LIMIT_S).default(600).describe('Seconds of past prices'),
  }),
  sample: { history: 2 },
  response: Resolution,
  changes: ({ market, clock }: MarketServices) => [
    market.oracle('BTC').version,
    Math.floor(clock.now() / UPDATE_MS),
  ],
  handle: ({ market, clock, sourceOf }: MarketServices, { history }) => {
    const tick = findTick(market)
    const nowMs = clock.now()
    return {
      token: 'BTC' as const,
      price_usd: roundPrice(tick.price),
      price_kind: tick.kind,
      source: sourceOf(tick.source),
      timestamp: isoTime(tick.atMs),
      tick_age_ms: Math.max(0, Math.round(nowMs - tick.atMs)),
      update_ms: UPDATE_MS,
      window: describeWindow(market, tick, nowMs),
      history: market
        .oracle('BTC')
        .history(tick.kind, history)
        .map(({ atMs, price }): [number, number] => [Math.floor(atMs / 1000), roundPrice(price)]),
    }
  },
})

function findTick(market: Market): OracleTick {
  const tick = market.oracle('BTC').last.twap_60s
  if (!tick) throw new ServiceError('upstream_unavailable', 'no BTC price of the oracle is known now')
  return tick
}

/** The window of the newest tick: just after a boundary that is still the old one until the oracle has moved on. */
export function describeWindow(market: Pick<Market, 'oracle'>, tick: OracleTick, nowMs: number) {
  const window = windowAt(tick.atMs)
  const sinceStartS = Math.floor(tick.atMs / 1000) - window.startS + 1
  const [opening] = market.oracle('BTC').history(tick.kind, sinceStartS)
  const open = opening && Math.floor(opening.atMs / 1000) === window.startS ? opening.price : null
  return {
    window_start: window.startS,
    window_end: window.endS,
    seconds_remaining: secondsRemaining(window, nowMs),
    open_price_usd: open === null ? null : roundPrice(open),
    direction_now: open === null ? null : tick.price >= open ? ('UP' as const) : ('DOWN' as const),
  }
}
