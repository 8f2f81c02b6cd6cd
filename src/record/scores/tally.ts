import { type Coin, mapCoins } from '../../core/coin.ts'
import type { RevealLeaf, WindowLeaf } from '../log/leaf.ts'
import { createWindowSums, type WindowSums } from './window-sums.ts'

/** Predictions within one ten-thousandth of probability: fine enough to cut equal bins without keeping each one. */
export type Bucket = { count: number; sumP: number; ups: number }
/** Running totals of the record, for one coin or for all. */
export type Tally = {
  entries: number
  /** Committed in time. */
  committed: number
  /** All other windows, including `late` ones: those were committed, but not published before the window opened. */
  missed: number
  late: number
  revealed: number
  unknown: number
  abstained: number
  /** Revealed with a known outcome. */
  scored: number
  /** Scored predictions that did not abstain, and how many of them were right. */
  called: number
  hits: number
  ups: number
  sumBrier: number
  sumLogLoss: number
  buckets: Map<number, Bucket>
  /** Of the scored, for intervals. */
  sums: WindowSums
}
export type Tallies = { all: Tally; perCoin: Readonly<Record<Coin, Tally>>; apply(leaf: WindowLeaf): void }

export const BUCKETS = 10_000
/** Bounds the log loss, which is infinite for a certain prediction that was wrong. */
export const LEAST_PROBABILITY = 1e-6

/** Updated leaf by leaf, so that no query has to read all leaves. */
export function createTallies(isPending: (id: string) => boolean): Tallies {
  const all = emptyTally()
  const perCoin = mapCoins(emptyTally)
  return {
    all,
    perCoin,
    apply(leaf) {
      for (const tally of [all, perCoin[leaf.coin]]) {
        if (leaf.kind === 'reveal') addReveal(tally, leaf)
        else addWindow(tally, leaf, isPending(leaf.id))
      }
    },
  }
}

function addWindow(tally: Tally, { kind }: Exclude<WindowLeaf, RevealLeaf>, isCommitted: boolean): void {
  if (kind === 'commit') {
    tally.entries++
    tally.committed++
  } else {
    tally.missed++
    if (isCommitted) {
      tally.committed--
      tally.late++
    } else tally.entries++
  }
}

function addReveal(tally: Tally, { window_start, prediction, outcome, hit }: RevealLeaf): void {
  const { probability_up: p, abstain } = prediction
  tally.revealed++
  if (abstain) tally.abstained++
  if (outcome === 'unknown') {
    tally.unknown++
    return
  }
  const up = outcome === 'UP' ? 1 : 0
  tally.scored++
  tally.ups += up
  if (!abstain) tally.called++
  if (!abstain && hit) tally.hits++
  const brier = (p - up) ** 2
  const logLoss = -Math.log(Math.max(LEAST_PROBABILITY, up ? p : 1 - p))
  tally.sumBrier += brier
  tally.sumLogLoss += logLoss
  tally.sums.add(window_start, { brier, logLoss, ups: up, count: 1 })
  addToBucket(tally.buckets, p, up)
}

function addToBucket(buckets: Map<number, Bucket>, p: number, up: number): void {
  const place = Math.min(BUCKETS - 1, Math.floor(p * BUCKETS))
  const bucket = buckets.get(place) ?? { count: 0, sumP: 0, ups: 0 }
  bucket.count++
  bucket.sumP += p
  bucket.ups += up
  buckets.set(place, bucket)
}

const emptyTally = (): Tally => ({
  entries: 0,
  committed: 0,
  missed: 0,
  late: 0,
  revealed: 0,
  unknown: 0,
  abstained: 0,
  scored: 0,
  called: 0,
  hits: 0,
  ups: 0,
  sumBrier: 0,
  sumLogLoss: 0,
  buckets: new Map(),
  sums: createWindowSums(),
})
