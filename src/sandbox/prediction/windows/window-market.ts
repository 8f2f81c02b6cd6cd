import { COINS, type Coin } from '../../../core/coin.ts'
import { createRandomStream } from '../../../core/math/random.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../core/time/time.ts'
import { WINDOW_S } from '../../../core/time/window.ts'
import { slugOf } from '../../../upstreams/polymarket/five-minute-market.ts'
import { COIN_MODELS } from '../../market/instrument.ts'
import type { Oracle } from '../../market/oracle.ts'
import { createListing, type Listing } from '../listing.ts'
import { marketIds } from '../market-ids.ts'
import { createFairUp, probabilityOf } from './fair-up.ts'
import { COIN_NAMES, windowQuestion } from './window-question.ts'

export type WindowInput = { seed: string; oracle: Oracle; coin: Coin; startS: number; nowMs: number }

/** The market of one five-minute window: everything about it follows from the seed, the coin and the start. */
export function createWindowMarket({ seed, oracle, coin, startS, nowMs }: WindowInput): Listing {
  const slug = slugOf(coin, startS)
  const endS = startS + WINDOW_S
  const fair = createFairUp(oracle, coin, startS)
  return createListing({
    nowMs,
    ...drawCourse(seed, slug, endS * 1000),
    decide: () => (oracle.at(coin, endS).twap60Usd >= oracle.at(coin, startS).twap60Usd ? 0 : 1),
    fairAt(atMs) {
      const lastS = Math.floor(atMs / 1000) - 1
      const priceUsd = oracle.at(coin, lastS).spotUsd
      return probabilityOf(fair({ atMs, priceUsd, volPerSecond: usualVol(coin) }))
    },
    market: {
      id: String(FIRST_ID + (startS / WINDOW_S) * COINS.length + COINS.indexOf(coin)),
      ...marketIds(seed, slug),
      slug,
      question: windowQuestion(coin, startS),
      outcomes: ['Up', 'Down'],
      series: { coin, windowStartS: startS },
      eventSlug: slug,
      tags: ['up-or-down', 'crypto-prices', 'recurring', 'crypto', COIN_NAMES[coin].toLowerCase(), '5M'],
      listedMs: startS * 1000 - DAY_MS,
      endsMs: endS * 1000,
      tickE4: 100,
      minShares: 5_000_000,
      ...drawVolume(seed, slug, coin, (nowMs / 1000 - startS) / WINDOW_S),
      lastTradeE4: undefined,
    },
  })
}

const FIRST_ID = 1_000_000
const LATE_ACCEPT_SHARE = 0.15
const LATE_SHARE = 0.03
const DISPUTED_SHARE = 0.005

/** When orders are no longer taken and when the outcome is told: mostly soon, sometimes late. */
function drawCourse(seed: string, slug: string, endsMs: number) {
  const stream = createRandomStream(seed, `course/${slug}`)
  const between = (position: number, low: number, high: number) =>
    Math.round(low + stream.uniform(position) * (high - low))
  const isLate = stream.uniform(0) < LATE_SHARE
  const staysOpen = stream.uniform(2) < LATE_ACCEPT_SHARE
  return {
    resolutionDelayMs: isLate
      ? between(1, 3 * MINUTE_MS, 8 * MINUTE_MS)
      : between(1, 20 * SECOND_MS, 90 * SECOND_MS),
    acceptUntilMs: staysOpen
      ? endsMs + between(3, 0, 2 * MINUTE_MS)
      : endsMs - between(3, SECOND_MS, 5 * SECOND_MS),
    isDisputed: stream.uniform(4) < DISPUTED_SHARE,
  }
}

const USUAL_VOLUME_USD = 9_500

/** What was traded before the venue was started, about as much as is traded while it runs. */
function drawVolume(seed: string, slug: string, coin: Coin, elapsedShare: number) {
  const share = Math.min(1, Math.max(0, elapsedShare))
  const size = Math.exp(0.4 * createRandomStream(seed, `volume/${slug}`).normal(0))
  const volumeE6 = Math.round(USUAL_VOLUME_USD * COIN_MODELS[coin].activity * size * share * 100) * 10_000
  return { volumeE6, volume24hE6: volumeE6 }
}

function usualVol(coin: Coin): number {
  return COIN_MODELS[coin].volPerMinute / Math.sqrt(60)
}
