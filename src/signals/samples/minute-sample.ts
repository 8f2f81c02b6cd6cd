import { VENUES } from '../../feeds/events.ts'

/** Levels of a side over which the imbalance of a book is measured; feeds keep twenty. */
export const DEPTHS = [1, 5, 10, 20] as const

/**
 * What candles do not tell of a minute, by name. Sizes are in coins, prices in the currency of the venue. An age is how
 * old a value was at the end of the minute; it is below 0 for one that came between that and the look at it.
 */
export const SAMPLE_FIELDS = [
  'late_ms',
  ...VENUES.flatMap((venue) => [
    `${venue}_buy` as const,
    `${venue}_sell` as const,
    `${venue}_mid` as const,
    `${venue}_reach_bps` as const,
    ...DEPTHS.map((levels) => `${venue}_imbalance_${levels}` as const),
    `${venue}_book_age_ms` as const,
  ]),
  'basis_bps',
  'basis_age_ms',
  'funding_bps',
  'funding_age_ms',
  'oracle_twap',
  'oracle_twap_age_ms',
  'oracle_spot',
  'oracle_spot_age_ms',
  'up_bid',
  'up_ask',
  'up_age_ms',
  'window_left_s',
] as const
export type SampleField = (typeof SAMPLE_FIELDS)[number]

/** One number per field, in their order. What is unknown is NaN, never 0. */
export type MinuteSample = Readonly<Float64Array>

/** Samples by the end of their minute; undefined for a minute at whose end nobody looked. */
export type SampleAt = (endMs: number) => MinuteSample | undefined

const INDEXES: ReadonlyMap<SampleField, number> = new Map(SAMPLE_FIELDS.map((name, at) => [name, at]))

/** NaN where unknown. */
export function fieldOf(sample: MinuteSample, name: SampleField): number {
  return sample[INDEXES.get(name) ?? -1] ?? Number.NaN
}

/** What is not given is unknown. Rounded as it is written, so that a model learns from the very numbers it will see. */
export function toSample(values: Partial<Record<SampleField, number | undefined>>): MinuteSample {
  const sample = new Float64Array(SAMPLE_FIELDS.length).fill(Number.NaN)
  for (const [name, at] of INDEXES) sample[at] = roundField(name, values[name] ?? Number.NaN) + PLUS_ZERO
  return sample
}

/** Makes a 0 of −0, which is written as 0. */
const PLUS_ZERO = 0
const SHARE_DIGITS = 3
/** A mid has half a tick more than its venue's prices. */
const PRICE_FIGURES = 10
const SIZE_FIGURES = 6

function roundField(name: SampleField, value: number): number {
  if (!Number.isFinite(value)) return Number.NaN
  if (name.endsWith('_ms')) return Math.round(value)
  if (/imbalance|_bps$|_s$/.test(name)) return Number(value.toFixed(SHARE_DIGITS))
  return Number(value.toPrecision(/_buy$|_sell$/.test(name) ? SIZE_FIGURES : PRICE_FIGURES))
}
