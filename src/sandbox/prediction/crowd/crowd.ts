import { createDraws, createRandomStream } from '../../../core/math/random.ts'
import { SECOND_MS } from '../../../core/time/time.ts'
import { COIN_MODELS } from '../../market/instrument.ts'
import { DOLLAR_E4 } from '../book/amounts.ts'
import type { Exchange } from '../exchange.ts'
import type { Listing } from '../listing.ts'
import { simulatedWallet } from '../market-ids.ts'
import type { Fair } from '../windows/fair-up.ts'
import { createMaker, MAKERS, type Past, SLOWEST_MS } from './makers.ts'
import { bestOffer, takeAtOnce } from './take.ts'

/** Those who trade in one five-minute market: makers who quote around what they believe, and takers. */
export type Crowd = { advanceTo(atMs: number, fair: Fair): void; withdraw(): void }

const TAKERS_PER_S = 0.35
const MEAN_TAKE_SHARES = 35
/** How far beyond the best price a taker buys. */
const TAKE_REACH_E4 = 200
/** Before the window opens everything is calmer by this factor. */
const EARLY_CALM = 5
const DRAWS_PER_TICK = 256
const TICK_MS = 100

export function createCrowd(exchange: Exchange, seed: string, listing: Listing): Crowd {
  const { slug, series, endsMs } = listing.market
  const coin = series?.coin ?? 'BTC'
  const startMs = (series?.windowStartS ?? endsMs / 1000) * 1000
  const draws = createDraws(createRandomStream(seed, `crowd/${slug}`))
  const makers = MAKERS.map((profile) =>
    createMaker({
      exchange,
      listing,
      profile,
      wallet: simulatedWallet(seed, profile.name),
      errors: createRandomStream(seed, `errors/${coin}/${profile.name}`),
    }),
  )
  const takers = Array.from({ length: TAKER_WALLETS }, (_, i) => simulatedWallet(seed, `taker-${i}`))
  const history = createHistory()
  let advancedMs: number | undefined
  const takeSome = (atMs: number, spanMs: number) => {
    const perSecond = TAKERS_PER_S * COIN_MODELS[coin].activity
    for (let left = draws.poisson((perSecond * spanMs) / SECOND_MS); left > 0; left--) {
      const token = draws.uniform() < 0.5 ? 0 : 1
      const sharesE6 = Math.ceil(-Math.log(draws.uniform()) * MEAN_TAKE_SHARES) * 1e6
      const offerE4 = bestOffer(listing, token)
      const wallet = takers[draws.below(TAKER_WALLETS)]
      if (offerE4 === undefined || !wallet) continue
      const priceE4 = Math.min(DOLLAR_E4, offerE4 + TAKE_REACH_E4)
      takeAtOnce(exchange, listing, { wallet, token, priceE4, sharesE6 }, atMs)
    }
  }
  return {
    advanceTo(atMs, fair) {
      history.push(atMs, fair)
      draws.seek(Math.floor(atMs / TICK_MS) * DRAWS_PER_TICK)
      const calm = atMs < startMs ? EARLY_CALM : 1
      takeSome(atMs, (atMs - (advancedMs ?? atMs)) / calm)
      for (const maker of makers) maker.advanceTo(atMs, history.at, draws, calm)
      advancedMs = atMs
    },
    withdraw() {
      for (const maker of makers) maker.withdraw()
    },
  }
}

const TAKER_WALLETS = 40

/** What was known during the last seconds; between two moments a straight line. */
function createHistory(): { push(atMs: number, fair: Fair): void; at: Past } {
  let known: (Fair & { atMs: number })[] = []
  return {
    push(atMs, fair) {
      known.push({ ...fair, atMs })
      const from = known.findLastIndex((moment) => moment.atMs <= atMs - SLOWEST_MS)
      if (from > 0) known = known.slice(from)
    },
    at(atMs) {
      const index = known.findLastIndex((moment) => moment.atMs <= atMs)
      const before = known[Math.max(0, index)]
      const after = known[Math.min(known.length - 1, index + 1)]
      if (!before || !after) return { z: 0, zPerRootSecond: 0 }
      const spanMs = after.atMs - before.atMs
      const share = index < 0 || spanMs === 0 ? 0 : (atMs - before.atMs) / spanMs
      return { z: before.z + (after.z - before.z) * share, zPerRootSecond: after.zPerRootSecond }
    },
  }
}
