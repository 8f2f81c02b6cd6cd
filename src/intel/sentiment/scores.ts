import type { Signal } from '../../signals/signal.ts'
import type { WhaleFlow } from '../whales/whales.ts'
import type { FearGreed } from './fear-greed.ts'
import type { FundingAcross } from './funding.ts'
import type { Momentum } from './momentum.ts'

/** What a part says: from −1 (bearish) to 1 (bullish), and the figure that this was made of, in its own unit. */
export type Reading = {
  score: number
  reading: number
  /** What the reading is of, where the score depends on how many they are. */
  trades?: number
  /** Of a signal: whether it says that it is not to be acted on. */
  abstain?: boolean
}

export const UNITS = {
  fear_greed: 'index from 0 (fear) to 100 (greed)',
  momentum: 'standard deviations',
  whale_flow: 'large buys less large sells, as a share of both',
  funding: 'percent for eight hours, paid by longs',
  prediction_market: 'probability of UP in the open five-minute market',
  signal: 'probability of UP in the open five-minute window',
} as const
export type PartName = keyof typeof UNITS

/** Venues charge this much where longs and shorts balance. */
const BALANCED_FUNDING = 0.0001
const FUNDING_SCALE = 0.0003
/** With so many trades a flow counts half. */
const HALF_FLOW_TRADES = 5

export const scoreFearGreed = ({ value }: FearGreed): Reading => ({
  score: (value - 50) / 50,
  reading: value,
})

export const scoreMomentum = ({ score, deviations }: Momentum): Reading => ({ score, reading: deviations })

/** A single trade makes a flow of ±1 and says little: few trades pull it towards 0. */
export function scoreFlow({
  buyUsd,
  sellUsd,
  trades,
}: Pick<WhaleFlow, 'buyUsd' | 'sellUsd' | 'trades'>): Reading {
  const bothUsd = buyUsd + sellUsd
  const net = bothUsd > 0 ? (buyUsd - sellUsd) / bothUsd : 0
  return { score: net * (trades / (trades + HALF_FLOW_TRADES)), reading: net, trades }
}

export const scoreFunding = ({ funding8h }: FundingAcross): Reading => ({
  score: Math.tanh((funding8h - BALANCED_FUNDING) / FUNDING_SCALE),
  reading: funding8h * 100,
})

export const scoreProbability = (probabilityUp: number): Reading => ({
  score: 2 * probabilityUp - 1,
  reading: probabilityUp,
})

/** One that abstains counts as a coin flip, whatever it reads. */
export function scoreSignal({ abstain, probabilityUp }: Pick<Signal, 'abstain' | 'probabilityUp'>): Reading {
  const { score, reading } = scoreProbability(probabilityUp)
  return { score: abstain ? 0 : score, reading, abstain }
}

const CROWDED_LONGS = 0.0005
const CROWDED_SHORTS = -0.0003
/** Where the words of the index begin. */
const EXTREME_GREED = 76
const EXTREME_FEAR = 25

export const EXTREMES = ['extreme_greed', 'extreme_fear', 'crowded_longs', 'crowded_shorts'] as const
export type Extreme = (typeof EXTREMES)[number]

/** Where a mood is so one-sided that many read it the other way round. Thresholds belong to the extreme. */
export function extremesOf(
  fearGreed: FearGreed | undefined,
  funding: FundingAcross | undefined,
): readonly Extreme[] {
  const mood = fearGreed?.value
  const rate = funding?.funding8h
  const found: Extreme[] = []
  if (mood !== undefined && mood >= EXTREME_GREED) found.push('extreme_greed')
  if (mood !== undefined && mood <= EXTREME_FEAR) found.push('extreme_fear')
  if (rate !== undefined && rate >= CROWDED_LONGS) found.push('crowded_longs')
  if (rate !== undefined && rate <= CROWDED_SHORTS) found.push('crowded_shorts')
  return found
}
