/** What a frame says of one token: new sizes at prices, and the best prices after them where it names them. */
export type TokenChanges = {
  atMs: number
  levels: readonly { side: 'bids' | 'asks'; price: number; shares: number }[]
  /** 0: there is no bid. */
  bestBid: number | undefined
  /** 0 or 1: there is no ask. */
  bestAsk: number | undefined
}

/** 130 messages a second were seen in one market: these are the last fifteen seconds or more. */
const MAX_LEVELS = 4_000

/** The last changes of one book, by the venue's time, to be applied to a book that was read over REST meanwhile. */
export type RecentChanges = {
  add(changes: TokenChanges, heardMs: number): void
  /**
   * What is not in a book with the venue's time `atMs` that was asked for at `sentMs` of our clock, oldest first:
   * changes after that time, and those of the same millisecond unless we had heard them before. Undefined if some of
   * them have been forgotten.
   */
  missingIn(atMs: number, sentMs: number): readonly TokenChanges[] | undefined
  /** A connection begins with a frame of this time; one before it may have reached a later time of a clock put back. */
  begin(atMs: number): void
  /** From now on, nothing up to this time is known. */
  forgetTo(atMs: number): void
}

type Heard = TokenChanges & { heardMs: number }

export function createRecentChanges(): RecentChanges {
  let kept: Heard[] = []
  let levels = 0
  let forgottenToMs = Number.NEGATIVE_INFINITY
  const forgetTo = (atMs: number) => {
    forgottenToMs = Math.max(forgottenToMs, atMs)
    kept = kept.filter((changes) => changes.atMs > forgottenToMs)
    levels = kept.reduce((sum, changes) => sum + changes.levels.length, 0)
  }
  return {
    add(changes, heardMs) {
      if (changes.atMs <= forgottenToMs) return
      const at = kept.findLastIndex(({ atMs }) => atMs <= changes.atMs) + 1
      kept.splice(at, 0, { ...changes, heardMs })
      levels += changes.levels.length
      // Half at once, so that a full store is not searched at every message.
      if (levels > MAX_LEVELS) forgetTo(kept[kept.length >> 1]?.atMs ?? changes.atMs)
    },
    missingIn(atMs, sentMs) {
      if (atMs <= forgottenToMs) return undefined
      return kept.filter(
        (changes) => changes.atMs > atMs || (changes.atMs === atMs && changes.heardMs >= sentMs),
      )
    },
    begin(atMs) {
      forgottenToMs = Math.min(forgottenToMs, atMs - 1)
    },
    forgetTo,
  }
}
