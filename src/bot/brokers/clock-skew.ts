import type { Clock } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'

/** Below the minute that the port allows. */
const KEPT_MS = 30 * SECOND_MS
/** The venue tells whole seconds, the one that has begun: it is half a second later on average. */
const HALF_MS = SECOND_MS / 2

type Input = { clock: Clock; serverTimeMs: () => Promise<number> }

/**
 * The venue's clock less ours, against the middle of the round trip; undefined where the venue does not answer. It is
 * wrong by half a second and half of the round trip at most.
 */
export function createClockSkew({ clock, serverTimeMs }: Input): () => Promise<number | undefined> {
  let kept: { skewMs: number; atMs: number } | undefined
  let underWay: Promise<number | undefined> | undefined
  const measure = async () => {
    const sentMs = clock.now()
    try {
      const toldMs = await serverTimeMs()
      const atMs = clock.now()
      const isWhole = toldMs % SECOND_MS === 0
      kept = { skewMs: toldMs + (isWhole ? HALF_MS : 0) - (sentMs + atMs) / 2, atMs }
    } catch {
      // Whoever asks is told that it is not known, and does not trade.
      kept = undefined
    } finally {
      underWay = undefined
    }
    return kept?.skewMs
  }
  return async () => {
    const ageMs = kept ? clock.now() - kept.atMs : undefined
    // A clock that was set back makes the last measurement worthless.
    if (kept && ageMs !== undefined && ageMs >= 0 && ageMs < KEPT_MS) return kept.skewMs
    underWay ??= measure()
    return underWay
  }
}
