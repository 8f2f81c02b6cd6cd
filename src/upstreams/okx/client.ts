import type { Coin } from '../../core/coin.ts'
import type { PerpetualVenue, VenuePerpetual } from '../perpetuals/perpetual-venue.ts'
import type { Upstream } from '../upstream.ts'
import {
  type ContractCoins,
  FundingHistoryReply,
  FundingReply,
  MarkPriceReply,
  OpenInterestHistoryReply,
  OpenInterestReply,
  TickersReply,
} from './wire.ts'

const instType = 'SWAP'
const PAST_HOURS = 26
/** As many as the venue gives at once. */
const MAX_FUNDINGS = 400
/** No venue settles more often than every hour; where it is less often, older ones come along. */
const MAX_PER_DAY = 24

export type Okx = PerpetualVenue & { contractCoins: ContractCoins }

/** Perpetuals in USDT at OKX. */
export function createOkx({ ask }: Pick<Upstream, 'ask'>): Okx {
  const contractCoins = new Map<Coin, number>()
  return {
    contractCoins: (coin) => contractCoins.get(coin),
    async perpetuals() {
      const [fundings, openInterests, marks, volumes] = await Promise.all([
        ask({ path: '/api/v5/public/funding-rate', query: { instId: 'ANY' }, schema: FundingReply }),
        ask({ path: '/api/v5/public/open-interest', query: { instType }, schema: OpenInterestReply }),
        ask({ path: '/api/v5/public/mark-price', query: { instType }, schema: MarkPriceReply }),
        ask({ path: '/api/v5/market/tickers', query: { instType }, schema: TickersReply }).catch(
          withoutVolume,
        ),
      ])
      const found = new Map<Coin, VenuePerpetual>()
      for (const [coin, funding] of fundings) {
        const [open, markPrice, volume] = [openInterests.get(coin), marks.get(coin), volumes.get(coin)]
        if (!open || markPrice === undefined) continue
        if (open.contractCoins !== undefined) contractCoins.set(coin, open.contractCoins)
        found.set(coin, {
          ...funding,
          markPrice,
          openInterest: open.openInterest,
          openInterestUsd: open.openInterestUsd ?? open.openInterest * markPrice,
          volume24hUsd: volume === undefined ? undefined : volume * markPrice,
        })
      }
      return found
    },
    settledFundings: (coin, days) =>
      ask({
        path: '/api/v5/public/funding-rate-history',
        query: { instId: instIdOf(coin), limit: Math.min(MAX_FUNDINGS, Math.ceil(days * MAX_PER_DAY)) },
        schema: FundingHistoryReply,
      }),
    pastOpenInterest: (coin) =>
      ask({
        path: '/api/v5/rubik/stat/contracts/open-interest-history',
        query: { instId: instIdOf(coin), period: '1H', limit: PAST_HOURS },
        schema: OpenInterestHistoryReply,
      }),
  }
}

/** Volume is all that the tickers are asked for, and the venue is worth telling without it. */
const withoutVolume = (): ReadonlyMap<Coin, number> => new Map()

const instIdOf = (coin: Coin) => `${coin}-USDT-SWAP`
