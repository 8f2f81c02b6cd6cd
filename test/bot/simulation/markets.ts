import type { Coin } from '../../../src/core/coin.ts'
import { createRandomStream } from '../../../src/core/math/random.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/time/time.ts'
import { WINDOW_S } from '../../../src/core/time/window.ts'
import type { Direction } from '../../../src/signals/signal.ts'
import { fiveMinuteMarket } from '../../../src/testing/prediction/five-minute-market.ts'
import type { FiveMinuteMarket } from '../../../src/upstreams/polymarket/five-minute-market.ts'
import { type Course, createCourses, indexOf } from './course.ts'
import type { Storm } from './storm.ts'

/** One window and coin as the venue keeps it. */
export type SimMarket = {
  coin: Coin
  startS: number
  endMs: number
  market: FiveMinuteMarket
  course: Course
  outcome: Direction
  resolvesMs: number
  /** False where the feed never tells that it was resolved. */
  isHeard: boolean
  /** Why nobody should trade it; undefined for nearly all. */
  trap: string | undefined
}

export type SimMarkets = {
  of(coin: Coin, startS: number): SimMarket
  ofToken(tokenId: string): (SimMarket & { token: Direction }) | undefined
  ofCondition(conditionId: string): SimMarket | undefined
}

/** Markets that a bot must leave alone. */
const TRAPS: readonly (readonly [name: string, Partial<FiveMinuteMarket>])[] = [
  ['resolves on another price', { resolution: { kind: 'spot', source: 'made up' } }],
  ['another protocol', { version: 'v2' }],
  ['negative risk', { negRisk: true }],
  ['a fee that is none', { fee: { rate: 0.07, exponent: 9 } }],
  ['does not take orders', { acceptingOrders: false }],
]
const TRAPPED = 0.02
const WITHOUT_FEE = 0.05

export function createSimMarkets(seed: number, storm: Storm): SimMarkets {
  const stream = createRandomStream(String(seed), 'markets')
  const courseOf = createCourses(seed)
  const known = new Map<number, SimMarket>()
  const byToken = new Map<string, SimMarket & { token: Direction }>()
  const byCondition = new Map<string, SimMarket>()
  const make = (coin: Coin, startS: number): SimMarket => {
    const at = indexOf(coin, startS) * 10
    const trap = stream.uniform(at) < TRAPPED ? TRAPS[stream.uint32(at + 1) % TRAPS.length] : undefined
    const isFree = stream.uniform(at + 2) < WITHOUT_FEE
    const market = fiveMinuteMarket({ coin, startS, ...(isFree && { fee: undefined }), ...trap?.[1] })
    const course = courseOf(coin, startS)
    const endMs = (startS + WINDOW_S) * 1000
    const resolvesMs =
      endMs + Math.round(20 * SECOND_MS + stream.uniform(at + 3) * 70 * SECOND_MS) + lateMs(at)
    const isHeard = stream.uniform(at + 6) >= storm.unheard
    const { outcome } = course
    return { coin, startS, endMs, market, course, outcome, resolvesMs, isHeard, trap: trap?.[0] }
  }
  const lateMs = (at: number) => {
    const draw = stream.uniform(at + 4)
    if (draw < storm.hoursLate) return Math.round(stream.uniform(at + 5) * 4 * HOUR_MS)
    return draw < storm.minutesLate ? Math.round(stream.uniform(at + 5) * 20 * MINUTE_MS) : 0
  }
  return {
    of(coin, startS) {
      const index = indexOf(coin, startS)
      const found = known.get(index)
      if (found) return found
      const made = make(coin, startS)
      known.set(index, made)
      byToken.set(made.market.tokens.up, { ...made, token: 'UP' })
      byToken.set(made.market.tokens.down, { ...made, token: 'DOWN' })
      byCondition.set(made.market.conditionId, made)
      return made
    },
    ofToken: (tokenId) => byToken.get(tokenId),
    ofCondition: (conditionId) => byCondition.get(conditionId),
  }
}
