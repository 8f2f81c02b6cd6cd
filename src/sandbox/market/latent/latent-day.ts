import { COINS } from '../../../core/coin.ts'
import { createRandomStream, type RandomStream } from '../../../core/math/random.ts'
import { DAY_MS, SECOND_MS } from '../../../core/time/time.ts'
import { COIN_MODELS } from '../instrument.ts'
import { BASIS_MEAN, BASIS_SD, COIN_VOL_SD, type DayAnchor, dayAnchor, MARKET_VOL_SD } from './day-anchor.ts'
import { nextRegime, REGIMES, SIM_REGIMES } from './regime.ts'

export const DAY_S = DAY_MS / SECOND_MS
const COIN_COUNT = COINS.length

/**
 * One UTC day of the hidden market on a one-second grid. Row `second` holds the state at that second and
 * row `DAY_S` the next midnight; the values of coin `i` are at `second * COIN_COUNT + i`.
 */
export type LatentDay = {
  /** Computes the rows up to `second`; computed rows never change. */
  buildTo(second: number): void
  readonly logPrices: Float64Array
  /** Standard deviation of the log price over one second. */
  readonly vols: Float32Array
  /** Order flow: standard normal, positive when buyers dominate. The price drifts in its direction. */
  readonly flows: Float32Array
  /** Log of Binance's price over Coinbase's. */
  readonly bases: Float32Array
  readonly regimes: Uint8Array
}

const FLOW_MEMORY_S = 45
// Flow at the start explains 1 % of a window's variance: perfect knowledge of it predicts 53 % of windows.
const FLOW_DRIFT = 0.04
const FLOW_SHARED = Math.SQRT1_2
const MOVE_MEMORY_S = 120
// Volatility, basis and regime change over an hour or so: updating them every ten seconds is enough.
const SLOW_S = 10
const MARKET_VOL_MEMORY_S = 2 * 3600
const COIN_VOL_MEMORY_S = 1800
const BASIS_MEMORY_S = 1800
// In the last hour of the day these states move to the next midnight's values.
const GLIDE_S = 3600
const MARKET_JUMPS_PER_S = 1 / 10_800
const COIN_JUMPS_PER_S = 1 / 14_400
const MARKET_JUMP_SDS = 28
const COIN_JUMP_SDS = 20

// Draws of one second by position: 0 market, 1-4 coins, 5 shared flow, 6-9 flows, 10 market vol, 11-14 coin
// vols, 15 basis, 16 jumps, 17 jump size, 18 regime, 19 direction of a trend.
const PLACES_PER_S = 20

type Keep = { decay: number; spread: number }
/** An Ornstein-Uhlenbeck step of `stepS` seconds with a long-run variance of 1. */
const keep = (memoryS: number, stepS: number): Keep => {
  const decay = Math.exp(-stepS / memoryS)
  return { decay, spread: Math.sqrt(1 - decay * decay) }
}
const FLOW = keep(FLOW_MEMORY_S, 1)
const MARKET_VOL = keep(MARKET_VOL_MEMORY_S, SLOW_S)
const COIN_VOL = keep(COIN_VOL_MEMORY_S, SLOW_S)
const BASIS = keep(BASIS_MEMORY_S, SLOW_S)
const MOVE_DECAY = 1 - 1 / MOVE_MEMORY_S
// Keeps the average variance at the coin's own: E[exp(2v)] = exp(2 sd²).
const VOL_SHIFT = MARKET_VOL_SD ** 2 + COIN_VOL_SD ** 2
const BASE_VOLS = Float64Array.from(COINS, (coin) => COIN_MODELS[coin].volPerMinute / Math.sqrt(60))
const LOADINGS = Float64Array.from(COINS, (coin) => COIN_MODELS[coin].marketLoading)
const OWN_LOADINGS = LOADINGS.map((loading) => Math.sqrt(1 - loading * loading))

type State = {
  second: number
  marketVol: number
  coinVols: Float64Array
  /** Current volatility of each coin. */
  vols: Float64Array
  /** Recent move of each coin, exponentially decayed. */
  moves: Float64Array
  basis: number
  regime: number
  trend: number
}
type Rows = Omit<LatentDay, 'buildTo'>
type Place = (place: number) => number

export function createLatentDay(seed: string, day: number): LatentDay {
  const from = dayAnchor(seed, day)
  const to = dayAnchor(seed, day + 1)
  const stream = createRandomStream(seed, `latent/${day}`)
  const rows: Rows = {
    logPrices: new Float64Array((DAY_S + 1) * COIN_COUNT),
    vols: new Float32Array((DAY_S + 1) * COIN_COUNT),
    flows: new Float32Array((DAY_S + 1) * COIN_COUNT),
    bases: new Float32Array(DAY_S + 1),
    regimes: new Uint8Array(DAY_S + 1),
  }
  const state: State = {
    second: 0,
    marketVol: from.marketVol,
    coinVols: Float64Array.from(from.coinVols),
    vols: new Float64Array(COIN_COUNT),
    moves: new Float64Array(COIN_COUNT),
    basis: from.basis,
    regime: from.regime % SIM_REGIMES.length,
    trend: from.regime & 8 ? 1 : -1,
  }
  rows.logPrices.set(from.logPrices)
  rows.flows.set(from.flows)
  setVols(state)
  writeSlow(rows, state)
  return {
    ...rows,
    buildTo(second) {
      for (const last = Math.min(second, DAY_S); state.second < last; ) step(rows, state, to, stream)
    },
  }
}

function step(rows: Rows, state: State, to: DayAnchor, stream: RandomStream): void {
  const position = state.second * PLACES_PER_S
  const normal: Place = (place) => stream.normal(position + place)
  const regime = regimeOf(state)
  const trend = regime.trendPerSecond * state.trend
  const jump = jumpAt(stream.uniform(position + 16))
  const jumpSize = jump === NO_JUMP ? 0 : normal(17)
  const market = normal(0)
  const sharedFlow = normal(5)
  const left = DAY_S - state.second
  // A Brownian bridge to the next midnight: `pull` shifts the mean, `room` shrinks the noise.
  const pull = 1 / left
  const room = Math.sqrt((left - 1) / left)
  const row = state.second * COIN_COUNT
  for (let i = 0; i < COIN_COUNT; i++) {
    const x = rows.logPrices[row + i] ?? 0
    const flow = rows.flows[row + i] ?? 0
    const vol = state.vols[i] ?? 0
    const loading = LOADINGS[i] ?? 0
    const recent = state.moves[i] ?? 0
    const jumpSds = jump === MARKET_JUMP ? MARKET_JUMP_SDS * loading : jump === i ? COIN_JUMP_SDS : 0
    const shock = vol * (loading * market + (OWN_LOADINGS[i] ?? 0) * normal(1 + i))
    const jumpMove = (BASE_VOLS[i] ?? 0) * jumpSds * jumpSize
    const drift = vol * (FLOW_DRIFT * flow + trend) + (regime.followThrough * recent) / MOVE_MEMORY_S
    const move = shock + jumpMove + drift
    state.moves[i] = recent * MOVE_DECAY + move
    rows.logPrices[row + COIN_COUNT + i] = x + ((to.logPrices[i] ?? 0) - x) * pull + room * move
    rows.flows[row + COIN_COUNT + i] =
      flow * FLOW.decay + FLOW_SHARED * (sharedFlow + normal(6 + i)) * FLOW.spread
  }
  state.second++
  if (state.second % SLOW_S === 0) stepSlow(state, to, normal, stream.uniform(position + 18))
  writeSlow(rows, state)
}

const NO_JUMP = -1
const MARKET_JUMP = COIN_COUNT

/** Index of the coin that jumps, `MARKET_JUMP` for all, `NO_JUMP` for none: one draw decides for the second. */
function jumpAt(uniform: number): number {
  if (uniform < MARKET_JUMPS_PER_S) return MARKET_JUMP
  const coin = Math.floor((uniform - MARKET_JUMPS_PER_S) / COIN_JUMPS_PER_S)
  return coin < COIN_COUNT ? coin : NO_JUMP
}

function stepSlow(state: State, to: DayAnchor, normal: Place, uniform: number): void {
  const left = DAY_S - state.second + SLOW_S
  const glide = left <= GLIDE_S ? SLOW_S / left : 0
  const next = (value: number, { decay, spread }: Keep, sd: number, goal: number, draw: number) =>
    glide > 0
      ? value + (goal - value) * glide + sd * spread * draw * Math.sqrt(1 - glide)
      : value * decay + sd * spread * draw
  state.marketVol = next(state.marketVol, MARKET_VOL, MARKET_VOL_SD, to.marketVol, normal(10))
  for (let i = 0; i < COIN_COUNT; i++)
    state.coinVols[i] = next(
      state.coinVols[i] ?? 0,
      COIN_VOL,
      COIN_VOL_SD,
      to.coinVols[i] ?? 0,
      normal(11 + i),
    )
  const basis = next(state.basis - BASIS_MEAN, BASIS, BASIS_SD, to.basis - BASIS_MEAN, normal(15))
  state.basis = BASIS_MEAN + basis
  const regime = nextRegime(state.regime, uniform, SLOW_S)
  if (regime !== state.regime) state.trend = normal(19) < 0 ? -1 : 1
  state.regime = regime
  setVols(state)
}

const regimeOf = (state: State) => REGIMES[SIM_REGIMES[state.regime] ?? 'neutral']

function setVols(state: State): void {
  const { volFactor } = regimeOf(state)
  for (let i = 0; i < COIN_COUNT; i++) {
    const logVol = state.marketVol + (state.coinVols[i] ?? 0) - VOL_SHIFT
    state.vols[i] = (BASE_VOLS[i] ?? 0) * volFactor * Math.exp(logVol)
  }
}

function writeSlow(rows: Rows, state: State): void {
  rows.vols.set(state.vols, state.second * COIN_COUNT)
  rows.bases[state.second] = state.basis
  rows.regimes[state.second] = state.regime
}
