import { createRandomStream, type Draws } from '../../../core/math/random.ts'
import { COIN_MODELS, type Instrument } from '../instrument.ts'
import type { SimLevel } from '../sim-events.ts'

const LEVELS_PER_SIDE = 30

/** Both sides of a book, best first, as market makers quote them. */
export type Quotes = { bids: readonly SimLevel[]; asks: readonly SimLevel[] }
export type Requote = (previous: Quotes, midTicks: number, flow: number, draws: Draws) => Quotes

// Median size of a level in dollars, and the spread of sizes (log-normal).
const LEVEL_NOTIONAL_USD = { binance: 30_000, coinbase: 12_000 }
const LEVEL_SIZE_SD = 0.6
/** How much positive flow enlarges bids and shrinks asks: the book's imbalance shows the flow, with noise. */
const FLOW_SKEW = 0.3
const TOUCH_REFRESH_CHANCE = 0.5
const REFRESHES_PER_SIDE = 2
/** The pattern of prices repeats after so many cells, far more than a book shows. */
const LATTICE_PLACES = 4096
const WIDE_SPREAD_CHANCE = { binance: 0.15, coinbase: 0.4 }

export function createRequote(seed: string, instrument: Instrument): Requote {
  const { venue, coin, levelStepTicks } = instrument
  const lattice = createRandomStream(seed, `lattice/${venue}/${coin}`)
  const price = COIN_MODELS[coin].basePriceUsd
  const medianLots = (LEVEL_NOTIONAL_USD[venue] / price) * 10 ** instrument.sizeDecimals
  // A wide spread is up to half a level step, at least two ticks.
  const widestTicks = Math.max(2, Math.floor(levelStepTicks / 2))
  // Every cell of the price lattice holds one level, at a random but fixed offset.
  const places = Uint32Array.from({ length: LATTICE_PLACES }, (_, i) => lattice.uint32(i) % levelStepTicks)
  const cellPrice = (cell: number) => cell * levelStepTicks + (places[cell % LATTICE_PLACES] ?? 0)

  const newSize = (index: number, lean: number, draws: Draws) => {
    const shape = 0.6 + index * 0.05
    const size = medianLots * shape * Math.exp(LEVEL_SIZE_SD * draws.normal() + FLOW_SKEW * lean)
    return Math.max(1, Math.round(size))
  }
  const side = (old: readonly SimLevel[], touch: number, away: 1 | -1, lean: number, draws: Draws) => {
    const refreshed = pickRefreshed(draws)
    const levels: SimLevel[] = []
    let next = touch
    let cell = Math.floor(touch / levelStepTicks)
    let seen = 0
    while (levels.length < LEVELS_PER_SIDE) {
      while (seen < old.length && ((old[seen]?.[0] ?? 0) - next) * away < 0) seen++
      const index = levels.length
      const kept = old[seen]
      if (kept?.[0] === next && !refreshed.includes(index)) levels.push(kept)
      else levels.push([next, newSize(index, lean, draws)])
      for (const taken = next; (next - taken) * away <= 0; cell += away) next = cellPrice(cell)
    }
    return levels
  }
  return (previous, midTicks, flow, draws) => {
    const wide = draws.uniform() < WIDE_SPREAD_CHANCE[venue]
    const spread = wide ? 2 + draws.below(widestTicks - 1) : 1
    const bestBid = Math.max(1, Math.floor(midTicks - spread / 2))
    return {
      bids: side(previous.bids, bestBid, -1, flow, draws),
      asks: side(previous.asks, bestBid + spread, 1, -flow, draws),
    }
  }
}

/** Levels that change size without a trade; mostly near the best price. */
function pickRefreshed(draws: Draws): readonly number[] {
  const picked = draws.uniform() < TOUCH_REFRESH_CHANCE ? [0] : []
  for (let i = 0; i < REFRESHES_PER_SIDE; i++) picked.push(Math.floor(LEVELS_PER_SIDE * draws.uniform() ** 2))
  return picked
}
