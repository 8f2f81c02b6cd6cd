import { type Measured, type PartDays, partDays } from './part-days.ts'

/** More than there are parts. */
const KEPT_MAX = 128

/**
 * The page is made anew each second and its days change once a minute: drawing ninety days of every part each time
 * would hold up all other requests.
 */
export function createKeptDays(): typeof partDays {
  const kept = new Map<string, { measured: Measured; from: string; drawn: PartDays }>()
  return (measured, from) => {
    const known = kept.get(measured.name)
    if (known && known.from === from && isSame(known.measured, measured)) return known.drawn
    if (kept.size >= KEPT_MAX) kept.clear()
    const drawn = partDays(measured, from)
    kept.set(measured.name, { measured, from, drawn })
    return drawn
  }
}

const isSame = (a: Measured, b: Measured): boolean =>
  a.fraction === b.fraction &&
  a.checks === b.checks &&
  a.measured_days === b.measured_days &&
  isSameList(a.day_fractions, b.day_fractions) &&
  isSameList(a.day_checks, b.day_checks) &&
  isSameList(a.day_degraded, b.day_degraded)

const isSameList = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((each, n) => each === b[n])
