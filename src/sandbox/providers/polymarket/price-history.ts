import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../core/time/time.ts'
import type { PredictionVenue } from '../../prediction/venue.ts'
import { midOf } from './number-text.ts'

export type PricePoint = { atMs: number; price: number }

/** Mids of the first token of every listed market: each minute of the last day, each hour of the last week. */
export type PriceHistory = {
  /** Notes a minute once it has passed. */
  note(nowMs: number): void
  of(conditionId: string): readonly PricePoint[]
  /** How the price has changed in this time; undefined where nothing was noted so long ago. */
  changeOver(conditionId: string, spanMs: number): number | undefined
  /** How it has changed since it was first noted. */
  changeSinceFirst(conditionId: string): number | undefined
}

const MAX_MINUTES = DAY_MS / MINUTE_MS
const MAX_HOURS = (7 * DAY_MS) / HOUR_MS + 1

type Points = { minutes: PricePoint[]; hours: PricePoint[] }

export function createPriceHistory(venue: PredictionVenue): PriceHistory {
  const byMarket = new Map<string, Points>()
  let minute = Number.NEGATIVE_INFINITY
  const of = (conditionId: string) => {
    const { minutes = [], hours = [] } = byMarket.get(conditionId) ?? {}
    const fromMs = minutes[0]?.atMs ?? Number.POSITIVE_INFINITY
    return [...hours.filter(({ atMs }) => atMs < fromMs), ...minutes]
  }
  return {
    note(nowMs) {
      if (Math.floor(nowMs / MINUTE_MS) <= minute) return
      minute = Math.floor(nowMs / MINUTE_MS)
      const listed = venue.markets()
      for (const { conditionId, tokenIds } of listed) {
        const book = venue.book(tokenIds[0])
        const price = midOf(book?.bids[0], book?.asks[0])
        if (price === undefined) continue
        const points = byMarket.get(conditionId) ?? { minutes: [], hours: [] }
        byMarket.set(conditionId, points)
        if (points.minutes.push({ atMs: nowMs, price }) > MAX_MINUTES) points.minutes.shift()
        if (minute % 60 === 0 && points.hours.push({ atMs: nowMs, price }) > MAX_HOURS) points.hours.shift()
      }
      const kept = new Set(listed.map(({ conditionId }) => conditionId))
      for (const conditionId of byMarket.keys()) if (!kept.has(conditionId)) byMarket.delete(conditionId)
    },
    of,
    changeOver(conditionId, spanMs) {
      const points = of(conditionId)
      const last = points.at(-1)
      return last && change(points.findLast(({ atMs }) => atMs <= last.atMs - spanMs), last)
    },
    changeSinceFirst(conditionId) {
      const points = of(conditionId)
      return change(points[0], points.at(-1))
    },
  }
}

function change(from: PricePoint | undefined, to: PricePoint | undefined): number | undefined {
  return from && to && Number((to.price - from.price).toFixed(5))
}
