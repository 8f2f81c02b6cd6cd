/** The rhythm of a chain. Every height has its time, also of blocks to come. */
export type Blocks = {
  everyMs: number
  /** Of the newest block at that time. */
  heightAt(ms: number): number
  /** Of the newest block that nothing can undo any more. */
  finalAt(ms: number): number
  timeOf(height: number): number
  /** From when on nothing can undo it. */
  finalFromMs(height: number): number
  /** As the chain writes it into the block. */
  timestampOf(height: number): number
}
/** How often there is a block, and after how many it is final. */
export type Rhythm = { everyMs: number; finalAfter: number }

/** Before the story begins, so that a search back in time finds blocks. */
const AGE_MS = 7_200_000

export function createBlocks(startMs: number, { everyMs, finalAfter }: Rhythm): Blocks {
  const genesisMs = startMs - AGE_MS
  const timeOf = (height: number) => genesisMs + height * everyMs
  const heightAt = (ms: number) => Math.floor((ms - genesisMs) / everyMs)
  return {
    everyMs,
    heightAt,
    finalAt: (ms) => heightAt(ms) - finalAfter,
    timeOf,
    finalFromMs: (height) => timeOf(height + finalAfter),
    timestampOf: (height) => Math.floor(timeOf(height) / 1000),
  }
}
