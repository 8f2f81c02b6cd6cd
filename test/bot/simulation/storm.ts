import { createRandomStream, type RandomStream } from '../../../src/core/math/random.ts'
import { MINUTE_MS } from '../../../src/core/time/time.ts'

/** How often things go wrong, each a probability: of a call, a write, a trade, a market or a minute. */
export type Storm = {
  /** An order whose answer does not come: it landed, lands later, or never does. */
  placeLost: number
  /** The matching engine restarts, trading is switched off, too many requests. */
  placeRefused: number
  /** The order comes in twice. */
  placeTwice: number
  readLost: number
  /** A trade that fails on the chain after it was matched. */
  tradeFails: number
  /** Rows that are told twice. */
  toldTwice: number
  /** A balance of shares that reads 0. */
  sharesUnseen: number
  redeemLost: number
  redeemRefused: number
  writeFails: number
  minutesLate: number
  hoursLate: number
  unheard: number
  /** Minutes in which nothing of the venue answers, the disk fails, our clock is wrong, data stand still or are gone. */
  venueOut: number
  diskOut: number
  clockWrong: number
  booksStale: number
  booksGone: number
  signalStale: number
}

export const CALM: Storm = {
  placeLost: 0,
  placeRefused: 0,
  placeTwice: 0,
  readLost: 0,
  tradeFails: 0,
  toldTwice: 0,
  sharesUnseen: 0,
  redeemLost: 0,
  redeemRefused: 0,
  writeFails: 0,
  minutesLate: 0,
  hoursLate: 0,
  unheard: 0,
  venueOut: 0,
  diskOut: 0,
  clockWrong: 0,
  booksStale: 0,
  booksGone: 0,
  signalStale: 0,
}

export const ROUGH: Storm = {
  placeLost: 0.15,
  placeRefused: 0.05,
  placeTwice: 0.1,
  readLost: 0.03,
  tradeFails: 0.05,
  toldTwice: 0.2,
  sharesUnseen: 0.05,
  redeemLost: 0.2,
  redeemRefused: 0.1,
  writeFails: 0.005,
  minutesLate: 0.05,
  hoursLate: 0.01,
  unheard: 0.05,
  venueOut: 0.01,
  diskOut: 0.01,
  clockWrong: 0.02,
  booksStale: 0.05,
  booksGone: 0.03,
  signalStale: 0.04,
}

type Spell = 'venueOut' | 'diskOut' | 'clockWrong' | 'booksStale' | 'booksGone' | 'signalStale'

/** Whether a minute is a bad one. */
export type Weather = {
  is(spell: Spell, atMs: number): boolean
  /** From here on nothing goes wrong any more. */
  calm(): void
  readonly storm: Storm
}

export function createWeather(seed: number, given: Storm): Weather {
  const streams = new Map<Spell, RandomStream>()
  let storm = given
  return {
    is(spell, atMs) {
      if (storm[spell] === 0) return false
      const stream = streams.get(spell) ?? createRandomStream(String(seed), spell)
      streams.set(spell, stream)
      return stream.uniform(Math.floor(atMs / MINUTE_MS)) < storm[spell]
    },
    calm() {
      storm = CALM
    },
    get storm() {
      return storm
    },
  }
}
