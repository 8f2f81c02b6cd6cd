import { type MinuteHistory, VOLATILITY_HALF_LIVES_MIN } from '../history/minute-history.ts'

/** Raise this whenever a definition below changes: a model fitted to other inputs is then refused. */
export const FEATURE_VERSION = 1

/** Minutes of history that the features need. */
export const WARM_MINUTES = 720

/** Direction features, each −2..2, 0 when unknown, and with the opposite sign in a mirrored market. */
export const FEATURES = [
  'return_1',
  'return_2',
  'return_5',
  'return_15',
  'return_60',
  'return_240',
  'strength_14',
  'strength_70',
  'bollinger_20',
  'bollinger_100',
  'range_position_5',
  'tick_direction_5',
  'tick_direction_15',
  'body',
  'wicks',
  'signed_volume_spike',
  'macd_histogram',
  'lead_1',
  'lead_2',
  'lead_5',
  'quiet',
] as const
/** Index of the share of minutes without a price change: coins with large ticks tie more often, and a tie is UP. */
export const QUIET = FEATURES.indexOf('quiet')

const RETURNS_MIN = [1, 2, 5, 15, 60, 240] as const
const LEADS_MIN = [1, 2, 5] as const
const HOUR_MIN = 60
const USUAL_VOLUME_MIN = 240
const VOLUME_SPIKE_MAX = 5
const QUIET_MAX = 0.6
/** Larger values are squashed: the tail is noise. */
const SQUASH = 2
const TINY = 1e-12
const HOUR_VOLATILITY = VOLATILITY_HALF_LIVES_MIN.indexOf(60)

/** Newest first; reused by every call. */
const closes = new Float64Array(Math.max(...RETURNS_MIN) + 1)
const volumes = new Float64Array(USUAL_VOLUME_MIN)

/**
 * Fills `out` from the minutes closed so far. `others` are the histories of other coins; only those whose newest minute
 * ended at the same moment count.
 */
export function fillFeatures(out: Float64Array, own: MinuteHistory, others: readonly MinuteHistory[]): void {
  own.readCloses(closes)
  own.readVolumes(volumes)
  const volatility = own.closeVolatility(HOUR_VOLATILITY)
  const unit = volatility + TINY
  const close = own.close(0)
  const open = own.open()
  let at = 0
  for (const minutes of RETURNS_MIN) out[at++] = returnOver(own, minutes, volatility)
  out[at++] = own.strength(0)
  out[at++] = own.strength(1)
  out[at++] = bollinger(20)
  out[at++] = bollinger(100)
  out[at++] = rangePosition(own, 5)
  out[at++] = tickDirection(5)
  out[at++] = tickDirection(15)
  out[at++] = (close - open) / unit
  out[at++] = (own.high(0) - Math.max(close, open) - (Math.min(close, open) - own.low(0))) / unit
  out[at++] = Math.sign(close - own.close(1)) * volumeSpike()
  out[at++] = own.macdHistogram() / unit
  for (const minutes of LEADS_MIN) out[at++] = leadOf(own, others, minutes)
  for (let each = 0; each < at; each++) out[each] = SQUASH * Math.tanh((out[each] ?? 0) / SQUASH)
  out[at] = Math.min(quietShare(), QUIET_MAX)
}

/** In standard deviations, by the volatility of about the last hour. */
function returnOver(history: MinuteHistory, minutes: number, volatility: number): number {
  return (history.close(0) - history.close(minutes)) / (volatility * Math.sqrt(minutes) + TINY)
}

/** How much further the other coins have moved, on average, than this one. */
function leadOf(own: MinuteHistory, others: readonly MinuteHistory[], minutes: number): number {
  let sum = 0
  let count = 0
  for (const other of others) {
    if (other.endMs !== own.endMs || other.count <= HOUR_MIN) continue
    sum += returnOver(other, minutes, other.closeVolatility(HOUR_VOLATILITY))
    count++
  }
  return count === 0 ? 0 : sum / count - returnOver(own, minutes, own.closeVolatility(HOUR_VOLATILITY))
}

/** Distance from the mean in standard deviations. */
function bollinger(minutes: number): number {
  let sum = 0
  let squares = 0
  const origin = closes[0] ?? 0
  for (let ago = 0; ago < minutes; ago++) {
    const value = (closes[ago] ?? 0) - origin
    sum += value
    squares += value * value
  }
  const mean = sum / minutes
  const deviation = Math.sqrt(Math.max(0, squares / minutes - mean * mean))
  return deviation > TINY ? -mean / deviation : 0
}

/** Where the close stands between the lowest and highest price, −0.5..0.5. */
function rangePosition(history: MinuteHistory, minutes: number): number {
  let high = Number.NEGATIVE_INFINITY
  let low = Number.POSITIVE_INFINITY
  for (let ago = 0; ago < minutes; ago++) {
    high = Math.max(high, history.high(ago))
    low = Math.min(low, history.low(ago))
  }
  return high > low ? (history.close(0) - low) / (high - low) - 0.5 : 0
}

function tickDirection(minutes: number): number {
  let sum = 0
  for (let ago = 0; ago < minutes; ago++) sum += Math.sign((closes[ago] ?? 0) - (closes[ago + 1] ?? 0))
  return sum / minutes
}

/** Logarithm of the newest minute's volume over the usual one. */
function volumeSpike(): number {
  let sum = 0
  for (let ago = 0; ago < USUAL_VOLUME_MIN; ago++) sum += volumes[ago] ?? 0
  const usual = sum / USUAL_VOLUME_MIN
  const ratio = usual > 0 ? (volumes[0] ?? 0) / usual : 1
  return Math.max(-VOLUME_SPIKE_MAX, Math.min(VOLUME_SPIKE_MAX, Math.log(ratio + TINY)))
}

function quietShare(): number {
  let quiet = 0
  for (let ago = 0; ago < HOUR_MIN; ago++) if (closes[ago] === closes[ago + 1]) quiet++
  return quiet / HOUR_MIN
}
