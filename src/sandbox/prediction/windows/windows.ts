import { COINS, type Coin, findCoin } from '../../../core/coin.ts'
import { DAY_MS, HOUR_MS } from '../../../core/time/time.ts'
import { isWindowStart, WINDOW_S, windowAt } from '../../../core/time/window.ts'
import type { Oracle } from '../../market/oracle.ts'
import type { Listing } from '../listing.ts'
import { createWindowMarket } from './window-market.ts'

/** The real venue lists a day ahead; here this much is listed, and the rest of the day is made when asked for. */
const LISTED_AHEAD_S = HOUR_MS / 1000
const LISTED_BEHIND_S = HOUR_MS / 1000
const REACH_AHEAD_MS = DAY_MS
const REACH_BEHIND_MS = 7 * DAY_MS

export type Windows = {
  /** Makes the windows that have come into reach since the last call. */
  listUntil(nowMs: number): readonly Listing[]
  /** Makes a window by its slug, of the last days or up to a day ahead. Each day of the past costs its prices. */
  make(slug: string, nowMs: number, reachBehindMs?: number): Listing | undefined
}

export function createWindows(seed: string, oracle: Oracle): Windows {
  let listedS: number | undefined
  const make = (coin: Coin, startS: number, nowMs: number) =>
    createWindowMarket({ seed, oracle, coin, startS, nowMs })
  return {
    listUntil(nowMs) {
      const { startS } = windowAt(nowMs)
      const made: Listing[] = []
      const fromS = listedS === undefined ? startS - LISTED_BEHIND_S : listedS + WINDOW_S
      for (let at = fromS; at <= startS + LISTED_AHEAD_S; at += WINDOW_S) {
        for (const coin of COINS) made.push(make(coin, at, nowMs))
        listedS = at
      }
      return made
    },
    make(slug, nowMs, reachBehindMs = REACH_BEHIND_MS) {
      const [, coinText = '', epoch = ''] = SLUG.exec(slug) ?? []
      const coin = findCoin(coinText)
      const startS = Number(epoch)
      if (!coin || !isWindowStart(startS)) return undefined
      const aheadMs = startS * 1000 - nowMs
      return aheadMs <= REACH_AHEAD_MS && aheadMs >= -reachBehindMs ? make(coin, startS, nowMs) : undefined
    },
  }
}

const SLUG = /^([a-z]{3})-updown-5m-([1-9]\d{0,11})$/
