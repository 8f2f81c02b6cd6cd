import type { Clock } from '../../core/time/clock.ts'

/** A stream heard within this is alive. */
const ALIVE_MS = 15_000
/** A stream restarted within this is ill, even if it is heard: what it says may be wrong. */
const ILL_AFTER_RESTART_MS = 60_000

/** Which streams of a connection work: as long as one does, the connection is not to blame for the others. */
export type StreamWellness = {
  heard(topic: string): void
  restarted(topic: string): void
  isWell(topic: string): boolean
}

export function createStreamWellness(clock: Clock): StreamWellness {
  const heardMs = new Map<string, number>()
  const restartedMs = new Map<string, number>()
  const isWithin = (atMs: number | undefined, ms: number) => atMs !== undefined && clock.now() - atMs < ms
  return {
    heard: (topic) => void heardMs.set(topic, clock.now()),
    restarted: (topic) => void restartedMs.set(topic, clock.now()),
    isWell: (topic) =>
      isWithin(heardMs.get(topic), ALIVE_MS) && !isWithin(restartedMs.get(topic), ILL_AFTER_RESTART_MS),
  }
}
