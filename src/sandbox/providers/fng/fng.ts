import { createBoundedCache } from '../../../core/bounded-cache.ts'
import { DAY_MS } from '../../../core/time/time.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'
import { NOBODY, type ProviderServer } from '../provider-server.ts'
import { json, ok, readOnly, wholeNumber } from '../reply.ts'
import { fearGreedOf, type LevelAt, levelOf } from './fear-greed.ts'

/** `limit=0` asks for all days; so many are simulated. */
const MAX_DAYS = 365
/** A month before the first of them is looked at, too. */
const LEVELS_KEPT = 400
const WORDS: readonly [upTo: number, word: string][] = [
  [25, 'Extreme Fear'],
  [46, 'Fear'],
  [54, 'Neutral'],
  [75, 'Greed'],
  [100, 'Extreme Greed'],
]

/** The fear and greed index of alternative.me: a new value at every UTC midnight. */
export function createFng({ latent, nowMs }: Pick<SimulatedMarket, 'latent' | 'nowMs'>): ProviderServer {
  const levels = createBoundedCache<number, number>({ capacity: LEVELS_KEPT })
  const levelAt: LevelAt = (day) => {
    const level = levels.get(day) ?? levelOf(latent.midnight(day).logPrices)
    levels.set(day, level)
    return level
  }
  return {
    ...NOBODY,
    rest: readOnly((path, query) => {
      if (path !== '/fng/' && path !== '/fng') return undefined
      const limit = wholeNumber(query, 'limit', 1)
      if (limit === undefined) return json(400, { metadata: { error: 'limit must be a number' } })
      const count = limit === 0 ? MAX_DAYS : Math.min(limit, MAX_DAYS)
      const today = Math.floor(nowMs() / DAY_MS)
      const data = Array.from({ length: count }, (_, back) =>
        rowOf(fearGreedOf(levelAt, today - back), today - back),
      )
      const untilNext = Math.ceil(((today + 1) * DAY_MS - nowMs()) / 1000)
      const [newest, ...others] = data
      return ok({
        name: 'Fear and Greed Index',
        data: [{ ...newest, time_until_update: String(untilNext) }, ...others],
        metadata: { error: null },
      })
    }),
  }
}

const rowOf = (value: number, day: number) => ({
  value: String(value),
  value_classification: WORDS.find(([upTo]) => value <= upTo)?.[1],
  timestamp: String((day * DAY_MS) / 1000),
})
