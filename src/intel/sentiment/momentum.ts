import type { Candle } from '../../market/candles.ts'

/** Half of the weight is on the day: shorter spans turn too often to be a mood. */
export const MOMENTUM_SPANS = [
  { name: '1h', minutes: 60, weight: 0.25 },
  { name: '4h', minutes: 240, weight: 0.25 },
  { name: '24h', minutes: 1_440, weight: 0.5 },
] as const

/** Returns of one minute are blurred by the gap between bid and ask. */
const RETURN_MINUTES = 5
/** Two hours: below that the volatility is a guess. */
const MIN_RETURNS = 24
/** Closes that are looked at: those of a day, and the one before. */
export const MOMENTUM_MINUTES = 1_441

export type SpanMove = {
  name: (typeof MOMENTUM_SPANS)[number]['name']
  changePercent: number
  /** The move in standard deviations of a span of this length. */
  deviations: number
}
export type Momentum = {
  /** −1..1. */
  score: number
  /** Mean of the spans by their weights. */
  deviations: number
  /** Only those that the history is long enough for. */
  spans: readonly SpanMove[]
}

/** Of closed minutes without holes, oldest first. Undefined where there are too few, or nothing moved. */
export function momentumOf(minutes: readonly Candle[]): Momentum | undefined {
  const last = minutes.at(-1)
  const volatility = volatilityOf(minutes)
  if (!last || volatility === undefined) return undefined
  const known = MOMENTUM_SPANS.flatMap(({ name, minutes: count, weight }) => {
    const from = minutes.at(-1 - count)
    if (minutes.length <= count || !from || from.isLost) return []
    const move = Math.log(last.close / from.close)
    const changePercent = (last.close / from.close - 1) * 100
    return [{ weight, span: { name, changePercent, deviations: move / (volatility * Math.sqrt(count)) } }]
  })
  const weight = known.reduce((sum, each) => sum + each.weight, 0)
  if (weight === 0) return undefined
  const deviations = known.reduce((sum, each) => sum + each.weight * each.span.deviations, 0) / weight
  return { score: Math.tanh(deviations), deviations, spans: known.map(({ span }) => span) }
}

/** Of the log price over one minute: root mean square of what is known of the last day. */
function volatilityOf(minutes: readonly Candle[]): number | undefined {
  let [squares, count] = [0, 0]
  for (let i = minutes.length - 1; i >= RETURN_MINUTES; i -= RETURN_MINUTES) {
    const [end, start] = [minutes[i], minutes[i - RETURN_MINUTES]]
    if (!end || !start || end.isLost || start.isLost) continue
    squares += Math.log(end.close / start.close) ** 2
    count++
  }
  return count < MIN_RETURNS || squares === 0 ? undefined : Math.sqrt(squares / count / RETURN_MINUTES)
}
