import { COINS } from '../../../core/coin.ts'
import type { StreamHealth } from '../../../feeds/stream-health.ts'
import type { Market } from '../../../market/market.ts'
import type { UpstreamCounters } from '../../../upstreams/upstream.ts'
import type { Family } from '../family.ts'
import { counter, gauge, sample } from '../family.ts'

type Parts = {
  nowMs(): number
  streams(): readonly StreamHealth[]
  market: Pick<Market, 'price'>
  upstreams(): readonly UpstreamCounters[]
}

/** How old what is sold is, and how the sources of it do. */
export function dataFamilies({ nowMs, streams, market, upstreams }: Parts): Family[] {
  const eachStream = (value: (stream: StreamHealth) => number | undefined) => () =>
    streams().flatMap((stream) => sample(value(stream), labelsOf(stream)))
  /** A provider may have several hosts. */
  const eachProvider =
    (value: (counted: UpstreamCounters) => number, join: (a: number, b: number) => number) => () => {
      const found = new Map<string, number>()
      for (const counted of upstreams()) {
        const other = found.get(counted.provider)
        found.set(counted.provider, other === undefined ? value(counted) : join(other, value(counted)))
      }
      return [...found].flatMap(([provider, figure]) => sample(figure, { provider }))
    }
  return [
    gauge(
      'tollbook_feed_age_seconds',
      'Since the last valid value of a stream',
      eachStream(({ ageMs }) => (ageMs === undefined ? undefined : ageMs / 1_000)),
    ),
    gauge(
      'tollbook_feed_live',
      '1 where a stream brings values',
      eachStream(({ state }) => Number(state === 'live')),
    ),
    counter(
      'tollbook_feed_reconnects_total',
      'Times a stream was connected anew',
      eachStream(({ reconnects }) => reconnects),
    ),
    gauge(
      'tollbook_price_age_seconds',
      'Age of the price of a coin; absent where there is no fresh one',
      () =>
        COINS.flatMap((coin) => {
          const price = market.price(coin)
          return sample(price && Math.max(0, nowMs() - price.asOfMs) / 1_000, { coin })
        }),
    ),
    counter(
      'tollbook_upstream_requests_total',
      'Requests to a provider',
      eachProvider(({ requests }) => requests, add),
    ),
    counter(
      'tollbook_upstream_failures_total',
      'Requests to a provider that failed',
      eachProvider(({ failures }) => failures, add),
    ),
    gauge(
      'tollbook_upstream_up',
      '1 where the breaker of a provider is closed and it takes our requests',
      eachProvider(({ state }) => Number(state === 'ok'), Math.min),
    ),
  ]
}

const add = (a: number, b: number) => a + b
const labelsOf = ({ kind, source, coin }: StreamHealth) => ({ kind, source, coin: coin ?? 'all' })
