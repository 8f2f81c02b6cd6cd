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
  const eachUpstream = (value: (counted: UpstreamCounters) => number | undefined) => () =>
    upstreams().flatMap((counted) => sample(value(counted), { provider: counted.provider }))
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
      eachUpstream(({ requests }) => requests),
    ),
    counter(
      'tollbook_upstream_failures_total',
      'Requests to a provider that failed',
      eachUpstream(({ failures }) => failures),
    ),
    gauge(
      'tollbook_upstream_up',
      '1 where the breaker of a provider is closed and it takes our requests',
      eachUpstream(({ state }) => Number(state === 'ok')),
    ),
  ]
}

const labelsOf = ({ kind, source, coin }: StreamHealth) => ({ kind, source, coin: coin ?? 'all' })
