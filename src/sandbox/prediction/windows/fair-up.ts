import type { Coin } from '../../../core/coin.ts'
import { normalCdf } from '../../../core/math/normal-cdf.ts'
import { WINDOW_S } from '../../../core/time/window.ts'
import { ORACLE_DELAY_MS, type Oracle, TWAP_S } from '../../market/oracle.ts'

/** What is known at a moment: the price now, and the oracle's seconds that are published. */
export type Moment = { atMs: number; priceUsd: number; volPerSecond: number }

/**
 * How likely UP is, as a distance: `normalCdf(z)` is the probability. `zPerRootSecond` is how far z moves in a second.
 */
export type Fair = { z: number; zPerRootSecond: number }

/** As sure as anyone can be. */
const CERTAIN_Z = 8

/**
 * UP wins if the 60-second mean at the end is not below that at the start. The seconds of a mean that are published
 * count as they are, the others as the price now; their spread is that of a random walk.
 */
export function createFairUp(oracle: Oracle, coin: Coin, startS: number): (moment: Moment) => Fair {
  const endS = startS + WINDOW_S
  const openMean = createMean(oracle, coin, startS)
  const closeMean = createMean(oracle, coin, endS)
  return ({ atMs, priceUsd, volPerSecond }) => {
    const publishedS = Math.floor((atMs - ORACLE_DELAY_MS) / 1000)
    const ahead = closeMean(publishedS, priceUsd) - openMean(publishedS, priceUsd)
    if (publishedS >= endS) return { z: ahead >= 0 ? CERTAIN_Z : -CERTAIN_Z, zPerRootSecond: 0 }
    const untilEndS = Math.max(0, endS - atMs / 1000)
    const openS = Math.min(TWAP_S, untilEndS)
    const varianceS = varianceUntil(startS - atMs / 1000, untilEndS) + UNSEEN_S
    const usdPerRootSecond = priceUsd * volPerSecond
    const sd = usdPerRootSecond * Math.sqrt(varianceS)
    const z = Math.min(CERTAIN_Z, Math.max(-CERTAIN_Z, ahead / sd))
    return { z, zPerRootSecond: openS / TWAP_S / Math.sqrt(varianceS) }
  }
}

export function probabilityOf({ z }: Pick<Fair, 'z'>): number {
  return normalCdf(z)
}

// What is not yet published of the mean is uncertain by about this much: the same as so many seconds of price moves.
const UNSEEN_S = 0.01

/** In seconds of price moves: how far the two means may move apart, from now on. */
function varianceUntil(untilStartS: number, untilEndS: number): number {
  if (untilStartS > 0) {
    // Moves before the start count in both means, less in the first the later they come.
    const share = 1 - Math.min(TWAP_S, untilStartS) / TWAP_S
    return (TWAP_S / 3) * (1 - share ** 3) + WINDOW_S - TWAP_S + TWAP_S / 3
  }
  const inMeanS = Math.min(TWAP_S, untilEndS)
  return (untilEndS - inMeanS) * (inMeanS / TWAP_S) ** 2 + inMeanS ** 3 / (3 * TWAP_S ** 2)
}

/** The expected 60-second mean at a second. What is published of it is summed once a second. */
function createMean(oracle: Oracle, coin: Coin, atS: number) {
  let summedS = atS - TWAP_S
  let sumUsd = 0
  return (publishedS: number, priceUsd: number): number => {
    if (publishedS >= atS) return oracle.at(coin, atS).twap60Usd
    if (publishedS < summedS) {
      summedS = atS - TWAP_S
      sumUsd = 0
    }
    for (; summedS < publishedS; summedS++) sumUsd += oracle.at(coin, summedS + 1).spotUsd
    return (sumUsd + (atS - summedS) * priceUsd) / TWAP_S
  }
}
