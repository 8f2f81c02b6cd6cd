const MICRO = 1_000_000
const CENTS = 100
/** Above the volume of all markets that ever were; more is a mistake of the venue. */
const USD_MAX = 1e12
/** Last millisecond of the year 9999: later ones have no date that clients can read. */
const LAST_MS = 253_402_300_799_999

/** Unknown is null, never zero: so is what no price can be. */
export function shownPrice(value: number | undefined): number | null {
  return value !== undefined && value >= 0 && value <= 1 ? roundMicro(value) : null
}

export function shownChange(value: number | undefined): number | null {
  return value !== undefined && Math.abs(value) <= 1 ? roundMicro(value) : null
}

export function shownUsd(value: number | undefined): number | null {
  return value !== undefined && value >= 0 && value <= USD_MAX ? Math.round(value * CENTS) / CENTS : null
}

/** Gains and losses. */
export function shownPnl(value: number | undefined): number | null {
  if (value === undefined || !(Math.abs(value) <= USD_MAX)) return null
  return roundMicro(value)
}

export function shownTime(ms: number | undefined): string | null {
  return ms !== undefined && ms >= 0 && ms <= LAST_MS ? new Date(ms).toISOString() : null
}

// Adding zero makes a zero of a negative one.
export const roundMicro = (value: number): number => Math.round(value * MICRO) / MICRO + 0
