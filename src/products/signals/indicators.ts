import { z } from 'zod'
import type { IndicatorReadings, Signal } from '../../signals/signal.ts'

/** Wire name, where it is found, its unit, and what traders usually read from it. */
type Indicator = { of: keyof IndicatorReadings; about: string; read: (value: number) => string }

const RSI = { oversold: 30, overbought: 70 }
const LEANING = 0.2
const AGGRESSOR = { selling: 0.45, buying: 0.55 }
const VOLUME = { quiet: 0.5, busy: 2 }
const FLAT_PERCENT = 0.02
const FLAT_BPS = 0.5

const INDICATORS = {
  rsi: {
    of: 'rsi',
    about: 'Relative strength of 14 one-minute closes, 0..100',
    read: (value) =>
      value <= RSI.oversold
        ? 'bullish: oversold'
        : value >= RSI.overbought
          ? 'bearish: overbought'
          : 'neutral: neither oversold nor overbought',
  },
  ob_imbalance: {
    of: 'bookImbalance',
    about: 'Bid size less ask size in their sum near the best prices, -1..1',
    read: leaning(-LEANING, LEANING, 'more is bid than asked', 'more is asked than bid', 'the book is even'),
  },
  aggressor_ratio: {
    of: 'aggressorRatio',
    about: 'Share of volume that takers bought in about the last minute, 0..1',
    read: leaning(
      AGGRESSOR.selling,
      AGGRESSOR.buying,
      'takers mostly buy',
      'takers mostly sell',
      'takers buy as much as they sell',
    ),
  },
  tick_momentum: {
    of: 'tickMomentum',
    about: 'Share of up-ticks less share of down-ticks in about the last half minute, -1..1',
    read: leaning(-LEANING, LEANING, 'mostly up-ticks', 'mostly down-ticks', 'ticks go both ways'),
  },
  volume_spike: {
    of: 'volumeSpike',
    about: 'Volume of about the last minute over that of about the last hour; 1 is usual',
    // Volume has no direction.
    read: (value) =>
      value >= VOLUME.busy
        ? 'neutral: far more volume than usual'
        : value <= VOLUME.quiet
          ? 'neutral: far less volume than usual'
          : 'neutral: usual volume',
  },
  rate_of_change: {
    of: 'rateOfChange',
    about: 'Change over the last five closed minutes in percent',
    read: leaning(-FLAT_PERCENT, FLAT_PERCENT, 'rising', 'falling', 'hardly any change'),
  },
  macd: {
    of: 'macd',
    about: 'MACD(12, 26, 9) histogram of one-minute closes in basis points of the price',
    read: leaning(-FLAT_BPS, FLAT_BPS, 'the move turns upwards', 'the move turns downwards', 'no turn'),
  },
  bollinger: {
    of: 'bollinger',
    about: 'Place in the Bollinger bands of 20 one-minute closes: 0 is the lower band, 1 the upper',
    read: (value) =>
      value <= 0
        ? 'bullish: below the lower band'
        : value >= 1
          ? 'bearish: above the upper band'
          : 'neutral: inside the bands',
  },
} as const satisfies Record<string, Indicator>
type Name = keyof typeof INDICATORS

function leaning(low: number, high: number, bullish: string, bearish: string, even: string) {
  return (value: number) =>
    value >= high ? `bullish: ${bullish}` : value <= low ? `bearish: ${bearish}` : `neutral: ${even}`
}

/** Every indicator under its wire name. */
function mapIndicators<T>(make: (indicator: Indicator, name: Name) => T): Record<Name, T> {
  const entries = Object.entries(INDICATORS) as [Name, Indicator][]
  return Object.fromEntries(entries.map(([name, indicator]) => [name, make(indicator, name)])) as Record<
    Name,
    T
  >
}

export const IndicatorValues = z.object(
  mapIndicators(({ about }) => z.number().nullable().describe(`${about}; null while unknown`)),
)
/** Beside the values, which say only that one is unknown. */
export const UnknownIndicators = z
  .partialRecord(z.enum(Object.keys(INDICATORS) as Name[]), z.string())
  .describe('Why an indicator is null, by its name; empty while all are known')
export const IndicatorBreakdown = z.object(
  mapIndicators(({ about }) =>
    z
      .object({
        value: z.number().nullable(),
        warm: z.boolean().describe('False while the value is unknown'),
        reason: z.string().optional().describe('Why the value is unknown; there only while it is'),
        meaning: z
          .string()
          .regex(/^(bullish|bearish|neutral): /)
          .describe('What traders usually read from it; the signal weighs it by what history showed'),
      })
      .describe(about),
  ),
)

export function toIndicatorValues(readings: IndicatorReadings): z.input<typeof IndicatorValues> {
  return mapIndicators(({ of }) => shown(readings[of]))
}

type Read = Pick<Signal, 'indicators' | 'unknownIndicators'>

export function toUnknownIndicators({ unknownIndicators }: Read): z.input<typeof UnknownIndicators> {
  const reasons = Object.entries(mapIndicators(({ of }) => unknownIndicators[of]))
  return Object.fromEntries(reasons.filter(([, reason]) => reason !== undefined))
}

export function toIndicatorBreakdown(signal: Read): z.input<typeof IndicatorBreakdown> {
  const { indicators, unknownIndicators } = signal
  return mapIndicators(({ of, read }) => {
    const value = shown(indicators[of])
    if (value !== null) return { value, warm: true, meaning: read(value) }
    return { value, warm: false, reason: unknownIndicators[of] ?? UNKNOWN, meaning: `neutral: ${UNKNOWN}` }
  })
}
const UNKNOWN = 'unknown'

const DIGITS = 6
const shown = (value: number | undefined) => (value === undefined ? null : Number(value.toPrecision(DIGITS)))
