import type { ProviderName, UpstreamName, Upstreams } from '../../../config/providers.ts'
import { COINS } from '../../../core/coin.ts'
import { describeError } from '../../../core/describe-error.ts'
import type { Clock } from '../../../core/time/clock.ts'
import {
  type LiquidationStream,
  liquidationStreams,
} from '../../../feeds/liquidations/liquidation-streams.ts'
import type { OpenSocket } from '../../../feeds/open-socket.ts'
import { createBinanceFutures } from '../../../upstreams/binance-futures/client.ts'
import { createBybit } from '../../../upstreams/bybit/client.ts'
import { createHyperliquid } from '../../../upstreams/hyperliquid/client.ts'
import { createOkx } from '../../../upstreams/okx/client.ts'
import { findJson } from '../../../upstreams/perpetuals/liquidation.ts'
import type { PerpetualVenue } from '../../../upstreams/perpetuals/perpetual-venue.ts'
import type { Upstream } from '../../../upstreams/upstream.ts'
import { type Check, type Finding, failure, ok, warning } from '../check.ts'
import { converse } from '../converse.ts'
import { hostCheck } from '../host-check.ts'

/** How venues turn away whole countries. */
const NOT_FROM_HERE: readonly (number | undefined)[] = [403, 451]

type Venue = {
  name: string
  provider: ProviderName
  upstream: UpstreamName
  url: string
  client(asker: Pick<Upstream, 'ask'>): PerpetualVenue
}

const venues = (upstreams: Upstreams, clock: Clock): readonly Venue[] => [
  {
    name: 'binance-futures',
    provider: 'binance_futures',
    upstream: 'BINANCE_FUTURES',
    url: upstreams.BINANCE_FUTURES,
    client: (upstream) => createBinanceFutures({ upstream, clock, random: Math.random }),
  },
  { name: 'bybit', provider: 'bybit', upstream: 'BYBIT', url: upstreams.BYBIT, client: createBybit },
  { name: 'okx', provider: 'okx', upstream: 'OKX', url: upstreams.OKX, client: createOkx },
  {
    name: 'hyperliquid',
    provider: 'hyperliquid',
    upstream: 'HYPERLIQUID',
    url: upstreams.HYPERLIQUID,
    client: (upstream) => createHyperliquid(upstream, clock),
  },
]

/** Perpetual futures, and the sockets that tell of liquidations. A venue that is away is left out of what is sold. */
export const futuresChecks = (upstreams: Upstreams, clock: Clock, openSocket: OpenSocket): Check[] => [
  ...venues(upstreams, clock).map(venueCheck),
  ...liquidationStreams(upstreams, () => undefined).map((stream) => socketCheck(stream, openSocket)),
]

function venueCheck({ name, provider, upstream, url, client }: Venue): Check {
  return hostCheck(
    {
      ...{ name, group: 'futures', provider, upstream },
      async look(asker) {
        const { size } = await client(asker).perpetuals()
        return size === 0
          ? failure(
              'tells of none of our coins',
              `wait for the venue, or look at TOLLBOOK_UPSTREAM_${upstream}_URL`,
            )
          : ok(`tells of ${size} of ${COINS.length} coins`)
      },
      explain: ({ status }) => (NOT_FROM_HERE.includes(status) ? turnedAway(String(status)) : undefined),
    },
    url,
  )
}

const turnedAway = (answer: string): Finding =>
  warning(
    `takes no requests from where this machine is (${answer})`,
    'what is sold goes on with the other venues; for this one, run the service where it answers, and never hide where it is',
  )

const SOCKETS = {
  binance: { name: 'futures-socket', variable: 'TOLLBOOK_UPSTREAM_BINANCE_FUTURES_WS_URL' },
  bybit: { name: 'bybit-socket', variable: 'TOLLBOOK_UPSTREAM_BYBIT_WS_URL' },
  okx: { name: 'okx-socket', variable: 'TOLLBOOK_UPSTREAM_OKX_WS_URL' },
} as const

const REFUSED_HANDSHAKE = /server response: (403|451)/

/** Nothing may be liquidated for minutes: that the subscription is taken is enough, and where none is sent, being connected. */
function socketCheck({ venue, url, subscription, read }: LiquidationStream, openSocket: OpenSocket): Check {
  const { name, variable } = SOCKETS[venue]
  return {
    name,
    group: 'futures',
    advice: `look whether this machine and its proxy let WebSockets to ${new URL(url).host} through, and at ${variable}; liquidations of the others are still counted`,
    async run(signal) {
      const startedMs = performance.now()
      const hear = (text: string) => {
        if (typeof findJson(text) !== 'object') throw new Error('a message is not in its format')
        const { refusal } = read(text)
        if (refusal !== undefined) throw new Error(`refuses the subscription: ${refusal}`)
        return true
      }
      const onOpen = subscription === undefined ? { onOpen: () => true } : {}
      try {
        await converse(url, { hello: subscription, hear, ...onOpen }, openSocket, signal)
      } catch (error) {
        const [, answer] = REFUSED_HANDSHAKE.exec(describeError(error)) ?? []
        if (answer !== undefined) return turnedAway(answer)
        throw error
      }
      const heard = subscription === undefined ? 'connected' : 'subscribed to liquidations'
      return ok(`${heard} after ${Math.round(performance.now() - startedMs)} ms`)
    },
  }
}
