/** Tells since when a provider has been saying the same. */
export type Standstill = {
  /** When it was first told as it is now. */
  note(said: unknown, atMs: number): number
}

/** For payloads without a time of their own: one that is frozen upstream is answered well, and says nothing new. */
export function createStandstill(): Standstill {
  let before: string | undefined
  let sinceMs = 0
  return {
    note(said, atMs) {
      const text = JSON.stringify(said)
      if (text !== before) sinceMs = atMs
      before = text
      return sinceMs
    },
  }
}
