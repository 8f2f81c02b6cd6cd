import type { Log } from '../../core/log.ts'
import { type Clock, sleep } from '../../core/time/clock.ts'
import { CLAIM_LEASE_MS, type Claim, type PaymentBook } from '../../ledger/ports/payment-book.ts'

/** Claims of this process that are at work: while they are, nobody may take them for dead. */
export type Leases = {
  /** Runs a step of a sale, from its claim until it is prepared or given up. */
  hold<T>(claim: Pick<Claim, 'id' | 'claimedAtMs'>, step: () => Promise<T>): Promise<T>
  /** Renews what takes long, until stopped. */
  run(signal: AbortSignal): Promise<void>
}
type Ports = { clock: Clock; log: Log; book: Pick<PaymentBook, 'renew'> }

/** Most sales are over before: they cost nothing here. Five may fail before a claim is lost. */
const RENEWED_AFTER_MS = CLAIM_LEASE_MS / 6
const LOOK_EVERY_MS = CLAIM_LEASE_MS / 6

export function createLeases({ clock, log, book }: Ports): Leases {
  /** When each was last renewed. */
  const held = new Map<string, number>()
  const renew = async () => {
    const nowMs = clock.now()
    const old = [...held].filter(([, atMs]) => nowMs - atMs >= RENEWED_AFTER_MS).map(([id]) => id)
    if (old.length === 0) return
    await book.renew(old, nowMs)
    for (const id of old) if (held.has(id)) held.set(id, nowMs)
  }
  return {
    async hold({ id, claimedAtMs }, step) {
      held.set(id, claimedAtMs)
      try {
        return await step()
      } finally {
        held.delete(id)
      }
    },
    async run(signal) {
      while (!signal.aborted) {
        await renew().catch((err) => log.warn({ err }, 'claims could not be renewed'))
        await sleep(clock, LOOK_EVERY_MS, signal)
      }
    },
  }
}
