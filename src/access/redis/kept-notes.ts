/** About 500 bytes each. What is sold beyond that during an outage is known to the process that sold it, and to no other. */
export const KEPT_PAYMENTS = 10_000
/** Of one payment, so that what Redis never takes is not tried for ever. */
const TRIES_MAX = 5

type Kind = 'buyer' | 'receiver'
type Kept = { hashes: Map<Kind, string>; tries: number }

/** Notes that Redis did not take, until it answers again. */
export type KeptNotes = {
  /** Whether there are some of this payment: a receiver must not overtake his buyer. */
  has(key: string): boolean
  /** The first of a kind stays; of too many payments the oldest is dropped. */
  keep(key: string, as: Kind, hash: string): void
  /** One after the other, the oldest payment first, and no further than the first that fails. */
  writeAll(): Promise<void>
}

export function createKeptNotes(write: (key: string, as: Kind, hash: string) => Promise<unknown>): KeptNotes {
  const payments = new Map<string, Kept>()
  let isWriting = false
  const isWritten = async (key: string, kept: Kept): Promise<boolean> => {
    try {
      await writeInOrder(kept.hashes, (as, hash) => write(key, as, hash))
      payments.delete(key)
      return true
    } catch {
      kept.tries++
      if (kept.tries >= TRIES_MAX) payments.delete(key)
      return false
    }
  }
  return {
    has: (key) => payments.has(key),
    keep(key, as, hash) {
      const kept = payments.get(key) ?? { hashes: new Map(), tries: 0 }
      if (!kept.hashes.has(as)) kept.hashes.set(as, hash)
      payments.set(key, kept)
      const [oldest] = payments.size > KEPT_PAYMENTS ? payments.keys() : []
      if (oldest !== undefined) payments.delete(oldest)
    },
    async writeAll() {
      if (isWriting) return
      isWriting = true
      for (const [key, kept] of payments) if (!(await isWritten(key, kept))) break
      isWriting = false
    },
  }
}

/** Also who comes while it is under way. */
async function writeInOrder(
  hashes: Map<Kind, string>,
  write: (as: Kind, hash: string) => Promise<unknown>,
): Promise<void> {
  while (hashes.size > 0) {
    const as = hashes.has('buyer') ? 'buyer' : 'receiver'
    await write(as, hashes.get(as) ?? '')
    hashes.delete(as)
  }
}
