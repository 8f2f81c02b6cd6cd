import { z } from 'zod'
import { createBoundedCache } from '../../../core/bounded-cache.ts'
import type { JsonRpc } from '../json-rpc.ts'

/** Whether a payment's blockhash can still be used. */
export type Life = {
  /** No transaction with it can have landed before this slot. */
  floorSlot: number
  /** Set once it has expired: the finalized slot at which that was certain. */
  goneAtSlot: number | undefined
}
export type BlockhashLife = { lifeOf(blockhash: string): Promise<Life> }

/** A blockhash is valid for 150 slots; ten more for a node that lags behind its load balancer. */
export const BLOCKHASH_LIFE_SLOTS = 160
/** Forgetting a blockhash only delays the end of its payment and makes one search longer. */
const REMEMBERED = 10_000

const Validity = z.object({ context: z.object({ slot: z.int() }), value: z.boolean() })
type Seen = { validAtSlot: number | undefined; invalidSinceSlot: number | undefined }

/**
 * "Not valid" does not mean expired: a blockhash is also invalid to a finalized bank that is older than the blockhash.
 * Only one that is still invalid a whole lifetime later has expired.
 */
export function createBlockhashLife(rpc: JsonRpc): BlockhashLife {
  const seen = createBoundedCache<string, Seen>({ capacity: REMEMBERED })
  return {
    async lifeOf(blockhash) {
      const [newest, finalized] = await Promise.all([
        validity(rpc, blockhash, 'processed'),
        validity(rpc, blockhash, 'finalized'),
      ])
      const before = seen.get(blockhash)
      const isValid = newest.value || finalized.value
      const validAtSlot = isValid
        ? (before?.validAtSlot ?? Math.min(newest.context.slot, finalized.context.slot))
        : before?.validAtSlot
      const finalSlot = finalized.context.slot
      const invalidSinceSlot = isValid ? undefined : (before?.invalidSinceSlot ?? finalSlot)
      seen.set(blockhash, { validAtSlot, invalidSinceSlot })
      const isExpired = invalidSinceSlot !== undefined && finalSlot >= invalidSinceSlot + BLOCKHASH_LIFE_SLOTS
      return {
        floorSlot: validAtSlot === undefined ? 0 : Math.max(0, validAtSlot - BLOCKHASH_LIFE_SLOTS),
        goneAtSlot: isExpired ? finalSlot : undefined,
      }
    },
  }
}

async function validity(rpc: JsonRpc, blockhash: string, commitment: 'processed' | 'finalized') {
  return Validity.parse(await rpc.call('isBlockhashValid', [blockhash, { commitment }]))
}
