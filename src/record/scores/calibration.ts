import { BUCKETS, type Bucket, type Tally } from './tally.ts'

export type Bin = {
  count: number
  lowest: number
  highest: number
  mean_probability: number
  up_rate: number
}
type Counted =
  | 'entries'
  | 'committed'
  | 'missed'
  | 'late'
  | 'revealed'
  | 'unknown'
  | 'scored'
  | 'called'
  | 'hits'
/** Null where there is nothing to divide by. */
export type Calibration = Pick<Tally, Counted> & {
  hit_rate: number | null
  abstain_share: number | null
  base_rate: number | null
  brier: number | null
  log_loss: number | null
  skill: number | null
  ece: number | null
  ece_noise_floor: number | null
  bins: readonly Bin[]
}

const MAX_BINS = 10
/** A frequency over fewer predictions says nothing; a small record gets fewer bins. */
export const BIN_MIN_COUNT = 20

/** The figures that the methodology defines, from running totals alone. */
export function calibrate(tally: Tally): Calibration {
  const { entries, committed, missed, late, revealed, unknown, scored, called, hits } = tally
  const share = (part: number, whole: number) => (whole === 0 ? null : part / whole)
  const baseRate = share(tally.ups, scored)
  const brier = share(tally.sumBrier, scored)
  const uncertainty = baseRate === null ? 0 : baseRate * (1 - baseRate)
  const bins = cutBins(tally.buckets, scored)
  return {
    ...{ entries, committed, missed, late, revealed, unknown, scored, called, hits },
    hit_rate: share(hits, called),
    abstain_share: share(tally.abstained, revealed),
    base_rate: baseRate,
    brier,
    log_loss: share(tally.sumLogLoss, scored),
    skill: brier === null || uncertainty === 0 ? null : 1 - brier / uncertainty,
    ece: weigh(bins, ({ mean_probability, up_rate }) => Math.abs(mean_probability - up_rate)),
    ece_noise_floor: weigh(bins, expectedGap),
    bins,
  }
}

/** The gap to expect by chance alone if every probability were exact. */
function expectedGap({ mean_probability: p, count }: Bin): number {
  return Math.sqrt((2 * p * (1 - p)) / (Math.PI * count))
}

function weigh(bins: readonly Bin[], gap: (bin: Bin) => number): number | null {
  const total = bins.reduce((sum, { count }) => sum + count, 0)
  return total === 0 ? null : bins.reduce((sum, bin) => sum + (bin.count / total) * gap(bin), 0)
}

/** Bins of equal mass, lowest probabilities first. A bucket is never cut: it goes to the bin of its lowest rank. */
function cutBins(buckets: ReadonlyMap<number, Bucket>, scored: number): Bin[] {
  const wanted = Math.min(MAX_BINS, Math.floor(scored / BIN_MIN_COUNT))
  const bins = new Map<number, { first: number; last: number; count: number; sumP: number; ups: number }>()
  let rank = 0
  for (const [place, { count, sumP, ups }] of wanted === 0 ? [] : [...buckets].sort(([a], [b]) => a - b)) {
    const key = Math.floor((rank * wanted) / scored)
    const bin = bins.get(key) ?? { first: place, last: place, count: 0, sumP: 0, ups: 0 }
    bins.set(key, {
      first: bin.first,
      last: place,
      count: bin.count + count,
      sumP: bin.sumP + sumP,
      ups: bin.ups + ups,
    })
    rank += count
  }
  return [...bins.values()].map(({ first, last, count, sumP, ups }) => ({
    count,
    lowest: first / BUCKETS,
    highest: (last + 1) / BUCKETS,
    mean_probability: sumP / count,
    up_rate: ups / count,
  }))
}
