import type { Clock } from '../../core/time/clock.ts'

/** Four books change many times a second: without a trade or a change of any for so long, the connection may be dead. */
const SILENT_MS = 3_000
/** After so long it is, however open. */
const DEAD_MS = 10_000
const LOOK_EVERY_MS = 1_000

/** Judges a connection by when it last brought something of any coin: a single coin may be quiet. */
export type ConnectionSilence = {
  connecting(): void
  heard(): void
  stop(): void
}

type Options = {
  clock: Clock
  /** Called every second while nothing is heard, connected or not. */
  onSilent(): void
  onDead(): void
}

export function createConnectionSilence({ clock, onSilent, onDead }: Options): ConnectionSilence {
  let heardMs = clock.now()
  let connectingMs = heardMs
  const stop = clock.every(LOOK_EVERY_MS, () => {
    const nowMs = clock.now()
    if (nowMs - heardMs >= SILENT_MS) onSilent()
    if (nowMs - Math.max(heardMs, connectingMs) >= DEAD_MS) onDead()
  })
  return {
    connecting() {
      connectingMs = clock.now()
    },
    heard() {
      heardMs = clock.now()
    },
    stop,
  }
}
