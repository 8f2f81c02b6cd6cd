import { DAY_MS } from '../../core/time/time.ts'

/** The volume of a day against the mean day of its week. */
export type VolumeTrend = { ratio: number; trend: 'rising' | 'steady' | 'falling' }

const DAYS = 7
const RISING = 1.25
const FALLING = 0.8
const RATIO_MAX = 7

/** Undefined where either is unknown or the week had no volume: then there is nothing to compare with. */
export function volumeTrend(
  dayUsd: number | undefined,
  weekUsd: number | undefined,
): VolumeTrend | undefined {
  if (dayUsd === undefined || weekUsd === undefined) return undefined
  if (!(dayUsd >= 0 && weekUsd > 0 && Number.isFinite(dayUsd))) return undefined
  // A week contains its last day; a provider that counts them at different times may say otherwise.
  const ratio = Math.min((dayUsd * DAYS) / weekUsd, RATIO_MAX)
  return { ratio, trend: ratio >= RISING ? 'rising' : ratio <= FALLING ? 'falling' : 'steady' }
}

/** The week of a younger market has fewer days, so that its mean day would be too small. */
export const hasWeek = (listedAtMs: number | undefined, nowMs: number): boolean =>
  listedAtMs !== undefined && nowMs - listedAtMs >= DAYS * DAY_MS
