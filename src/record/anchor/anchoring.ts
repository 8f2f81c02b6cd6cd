import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { DAY_MS, HOUR_MS } from '../../core/time/time.ts'
import type { RecordBook } from '../../ledger/ports/record-book.ts'
import type { RecordLog } from '../log/record-log.ts'
import type { Anchor } from '../ports.ts'

export type Anchoring = {
  /** Anchors the newest head unless one was anchored today. Returns at once. */
  look(): void
  /** Resolves when nothing is in progress. */
  idle(): Promise<void>
}
type Ports = { clock: Clock; log: Log; book: RecordBook; record: RecordLog; anchor: Anchor | undefined }

const RETRY_MS = HOUR_MS

/** Once per UTC day. A crash before a sent transaction is recorded costs a second transaction, nothing else. */
export function createAnchoring({ clock, log, book, record, anchor }: Ports): Anchoring {
  let running: Promise<void> | undefined
  let nextMs = 0

  const anchorNewest = async (to: Anchor) => {
    const { head } = record
    const newest = await book.newestAnchor()
    const today = Math.floor(clock.now() / DAY_MS)
    const isDone = newest !== undefined && Math.floor(newest.atMs / DAY_MS) >= today
    if (head && !isDone) {
      const { treeSize, rootHash } = head
      const { network, tx } = await to.anchor(rootHash, treeSize)
      await book.addAnchor({ treeSize, rootHash, network, tx, atMs: clock.now() })
      log.info({ treeSize, network, tx }, 'anchored the record')
    }
    if (head) nextMs = (today + 1) * DAY_MS
  }
  return {
    look() {
      if (!anchor || !record.head || running || clock.now() < nextMs) return
      nextMs = clock.now() + RETRY_MS
      running = anchorNewest(anchor)
        .catch((err) => log.warn({ err }, 'the record is not anchored yet'))
        .finally(() => {
          running = undefined
        })
    },
    async idle() {
      await running
    },
  }
}
