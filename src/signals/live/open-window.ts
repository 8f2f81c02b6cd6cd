import { WINDOW_S, type Window } from '../../core/time/window.ts'
import type { OracleTick, PriceKind } from '../../feeds/events.ts'
import type { VarianceProfile } from '../model/volatility/variance-profile.ts'

/** The open window: its opening price, and the distance of the price from it. */
export type OpenWindow = {
  readonly window: Window
  /** Oracle ticks of either kind; those of other windows are ignored. */
  tick(tick: OracleTick): void
  /** A price at the window's start, used while the oracle's own is unknown. The first one counts. */
  openAt(currency: keyof Prices, price: number): void
  /** Undefined without both an opening price and a current price in the same currency. */
  measure(prices: Prices, elapsedS: number, profile: Profile): Measure | undefined
}

/** NaN where none is fresh. */
export type Prices = { usd: number; usdt: number }
/** Log distance of the expected closing price from the opening one, and the variance still to come, in average minutes. */
export type Measure = { distance: number; varianceMin: number; kind: PriceKind }
type Profile = Pick<VarianceProfile, 'left' | 'leftOfMean'>

const MEAN_S = 60
const S_PER_MIN = 60
const MEAN_FROM_S = WINDOW_S - MEAN_S

export function createOpenWindow(window: Window): OpenWindow {
  const opening: Prices = { usd: Number.NaN, usdt: Number.NaN }
  let averaged = Number.NaN
  let seenSum = 0
  let seenCount = 0
  let lastSeenS = 0

  /** The mean over the last minute if the price stays: the seconds seen, and the current price for the rest. */
  const expectedMean = (price: number, elapsedS: number) => {
    const leftS = Math.min(MEAN_S, Math.max(0, WINDOW_S - elapsedS))
    const seen = seenCount === 0 ? price : seenSum / seenCount
    return (seen * (MEAN_S - leftS) + price * leftS) / MEAN_S
  }
  return {
    window,
    tick({ kind, price, atMs }) {
      const second = Math.floor(atMs / 1000)
      if (kind === 'twap_60s') {
        if (second === window.startS) averaged = price
        return
      }
      if (second < window.startS + MEAN_FROM_S || second >= window.endS || second <= lastSeenS) return
      seenSum += price
      seenCount++
      lastSeenS = second
    },
    openAt(currency, price) {
      if (Number.isNaN(opening[currency])) opening[currency] = price
    },
    measure({ usd, usdt }, elapsedS, profile) {
      const elapsedMin = elapsedS / S_PER_MIN
      const mean = Math.log(expectedMean(usd, elapsedS) / averaged)
      if (Number.isFinite(mean))
        return { distance: mean, varianceMin: profile.leftOfMean(elapsedMin), kind: 'twap_60s' }
      const inUsd = Math.log(usd / opening.usd)
      const distance = Number.isFinite(inUsd) ? inUsd : Math.log(usdt / opening.usdt)
      if (!Number.isFinite(distance)) return undefined
      return { distance, varianceMin: profile.left(elapsedMin), kind: 'spot' }
    },
  }
}
