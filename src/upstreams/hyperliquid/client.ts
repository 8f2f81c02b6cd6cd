import type { Coin } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { DAY_MS, HOUR_MS } from '../../core/time/time.ts'
import type { PerpetualVenue, VenuePerpetual } from '../perpetuals/perpetual-venue.ts'
import type { Upstream } from '../upstream.ts'
import { ContextsReply, FundingHistoryReply } from './wire.ts'

const path = '/info'

/** Perpetuals in USDC at Hyperliquid, which settles on every whole hour. */
export function createHyperliquid({ ask }: Pick<Upstream, 'ask'>, clock: Pick<Clock, 'now'>): PerpetualVenue {
  return {
    async perpetuals() {
      const contexts = await ask({ path, body: { type: 'metaAndAssetCtxs' }, schema: ContextsReply })
      const nextFundingMs = (Math.floor(clock.now() / HOUR_MS) + 1) * HOUR_MS
      return new Map<Coin, VenuePerpetual>(
        [...contexts].map(([coin, context]) => [coin, { ...context, intervalHours: 1, nextFundingMs }]),
      )
    },
    settledFundings: (coin, days) =>
      ask({
        path,
        body: { type: 'fundingHistory', coin, startTime: clock.now() - days * DAY_MS },
        schema: FundingHistoryReply,
      }),
  }
}
