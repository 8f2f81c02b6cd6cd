import { COINS, type Coin, listCoins } from '../../core/coin.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Blend } from '../../intel/sentiment/blend.ts'
import { MOMENTUM_AGES } from '../../intel/sentiment/market-momentum.ts'
import type { Momentum } from '../../intel/sentiment/momentum.ts'
import type { SentimentServices } from './services.ts'

/** As old as a momentum may be. */
export const SENTIMENT_FRESH_MS = MOMENTUM_AGES.hardMs

type Kind = 'basic' | 'composite'
export type KnownBlend = { coin: Coin; score: number; blend: Blend; momentum: Momentum; asOfMs: number }

/** Throws 503 where one of the coins has no score, and names those that have. */
export function knownBlends(
  services: SentimentServices,
  kind: Kind,
  coins: readonly Coin[],
): readonly KnownBlend[] {
  return coins.map((coin) => {
    const found = look(services, kind, coin)
    if (typeof found !== 'string') return found
    const others = COINS.filter((other) => typeof look(services, kind, other) !== 'string')
    throw new ServiceError('upstream_unavailable', `no ${coin} sentiment: ${found}`, {
      hint: `${others.length > 0 ? listCoins(others) : 'none of the four coins'} can be asked for now; nothing was charged`,
    })
  })
}

/** The blend, or why there is none. The momentum is what its time is: the other parts say their own. */
function look({ sentiment }: SentimentServices, kind: Kind, coin: Coin): KnownBlend | string {
  const blend = sentiment[kind](coin)
  const momentum = sentiment.momentum(coin)
  if (blend.score === undefined || momentum.status === 'missing') return blend.missing ?? 'no momentum'
  return { coin, score: blend.score, blend, momentum: momentum.value, asOfMs: momentum.asOfMs }
}

export const oldestOf = (blends: readonly KnownBlend[]): number =>
  Math.min(...blends.map(({ asOfMs }) => asOfMs))
