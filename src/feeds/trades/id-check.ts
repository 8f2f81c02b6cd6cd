import type { FeedOptions } from '../watch-loop.ts'
import type { TradeSequence } from './trade-sequence.ts'

/** Duplicates and nothing else for this long: our ids may have run ahead of the venue's. */
const ONLY_DUPLICATES_MS = 10_000

/**
 * Two garbled ids in a row pass for a jump of the ids, and every true trade after them for a duplicate. When nothing but
 * duplicates has come for a while, trades may be missing, and the newest id of REST decides.
 */
export type IdCheck = {
  duplicate(): void
  /** A trade that is none. */
  progress(): void
  readonly isBusy: boolean
}

type Options = Pick<FeedOptions, 'clock' | 'client' | 'coin' | 'log'> & {
  sequence: TradeSequence
  /** Nothing but duplicates comes. */
  onDoubt(): void
  /** The sequence continues after another trade of the venue. */
  onMoved(): void
}

export function createIdCheck({ clock, client, coin, log, sequence, onDoubt, onMoved }: Options): IdCheck {
  let sinceMs: number | undefined
  let isBusy = false

  const ask = async () => {
    isBusy = true
    const { nextId = 0 } = sequence
    try {
      const latest = await client.latestTrade(coin)
      // The newest id is the one before `nextId` or a later one, unless `nextId` is wrong.
      if (!latest || latest.id >= nextId - 1 || sequence.nextId !== nextId) return
      sequence.continueAfter(latest)
      log.warn({ venue: client.venue, coin, fromId: nextId, toId: latest.id }, 'trade ids were garbled')
      onMoved()
    } catch (error) {
      log.debug({ venue: client.venue, coin, error: String(error) }, 'newest trade id not read')
    } finally {
      isBusy = false
    }
  }
  return {
    duplicate() {
      const nowMs = clock.now()
      sinceMs ??= nowMs
      if (isBusy || nowMs - sinceMs < ONLY_DUPLICATES_MS) return
      sinceMs = nowMs
      onDoubt()
      void ask()
    },
    progress() {
      sinceMs = undefined
    },
    get isBusy() {
      return isBusy
    },
  }
}
