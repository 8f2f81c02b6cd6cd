import { z } from 'zod'
import { sleep, systemClock } from '../../src/core/time/clock.ts'
import type { Purchase } from '../buying/buyers.ts'
import { type Counter, homeOf } from '../buying/counter.ts'
import type { SignedPayment } from '../buying/wallet.ts'
import { isOpen, type LedgerRow } from './ledger-rows.ts'

/** The ledger as it is now. */
type ReadRows = () => Promise<readonly LedgerRow[]> | readonly LedgerRow[]

const LOOK_EVERY_MS = 1_000
/** A reply that is there comes at once; a few tries cover a row just being written. */
const TRIES = 5
const Status = z.object({ revenue_atomic: z.string() })

/** Waits until the chain has decided every payment; returns how many are still open at the limit. */
export async function untilDecided(readRows: ReadRows, limitMs: number): Promise<number> {
  const untilMs = Date.now() + limitMs
  for (;;) {
    const open = (await readRows()).filter(isOpen).length
    if (open === 0 || Date.now() >= untilMs) return open
    await sleep(systemClock, LOOK_EVERY_MS)
  }
}

/** Every buyer who was charged and never saw the reply fetches it, also those who had left for good. */
export async function fetchUnclaimed(
  counter: Counter,
  readRows: ReadRows,
  purchases: readonly Purchase[],
): Promise<number> {
  const settled = (await readRows()).filter(({ state }) => state === 'settled')
  // Of one who had left, a thief may have used the payment first, for another address.
  const pathOf = new Map(settled.map(({ id, request }) => [id, request.replace(/^GET /, '')]))
  const missing = purchases
    .flatMap(({ payments }) => payments)
    .filter(({ id }) => pathOf.has(id) && !counter.sightings.has(id))
  for (const payment of missing) await fetchAgain(counter, pathOf.get(payment.id) ?? '', payment)
  return missing.length
}

async function fetchAgain(counter: Counter, path: string, payment: SignedPayment): Promise<void> {
  for (let tried = 0; tried < TRIES; tried++) {
    const answer = await counter.present(path, payment, { from: homeOf(payment) })
    if (answer?.status === 200) return
    await sleep(systemClock, LOOK_EVERY_MS)
  }
}

/** Undefined where this installation does not publish its revenue. */
export async function readRevenue(counter: Counter): Promise<bigint | undefined> {
  const reply = await counter.ask('/x402/status')
  if (reply?.status !== 200) return undefined
  return BigInt(Status.parse(await reply.json()).revenue_atomic)
}
