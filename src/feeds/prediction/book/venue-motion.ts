import type { Clock } from '../../../core/time/clock.ts'

/** In four open markets something changes many times a second. */
const VENUE_STILL_MS = 20_000
/** One alone may rest once its outcome is plain: in a simulated day, for up to 84 s. */
const MARKET_STILL_MS = 120_000

/** When a market last changed, on our clock. A venue that has stopped repeats its last books, and never fails. */
export type Motion = {
  note(movedMs: number): void
  /** False: what the venue repeats now says nothing about now. */
  isMoving(): boolean
}

/** Makes the motion of one market of the venue. */
export function createVenueMotion(clock: Clock): () => Motion {
  let venueMs = Number.NEGATIVE_INFINITY
  return () => {
    let marketMs = Number.NEGATIVE_INFINITY
    return {
      note(movedMs) {
        marketMs = Math.max(marketMs, movedMs)
        venueMs = Math.max(venueMs, movedMs)
      },
      isMoving: () => clock.now() - venueMs <= VENUE_STILL_MS && clock.now() - marketMs <= MARKET_STILL_MS,
    }
  }
}
