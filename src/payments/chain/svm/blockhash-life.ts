import { z } from 'zod'
import { createBoundedCache } from '../../../core/bounded-cache.ts'
import { SECOND_MS } from '../../../core/time/time.ts'
import type { JsonRpc } from '../json-rpc.ts'

/** Whether a payment's blockhash can still be used. */
export type Life = {
  /** No transaction with it can have landed before this slot. */
  floorSlot: number
  /** Set once it has expired: the finalized slot at which that was certain. */
  goneAtSlot: number | undefined
}
/** `claimedAtMs`: when its payment came, and so a time at which the blockhash was there already. */
export type BlockhashLife = { lifeOf(blockhash: string, claimedAtMs: number | undefined): Promise<Life> }

/** A blockhash is valid for 150 slots; ten more for a node that lags behind its load balancer. */
export const BLOCKHASH_LIFE_SLOTS = 160
/** Clocks may differ by so much. */
const KNOWN_AFTER_S = 30
/** Forgetting a blockhash only delays the end of its payment and makes one search longer. */
const REMEMBERED = 10_000

const Validity = z.object({ context: z.object({ slot: z.int() }), value: z.boolean() })
type Seen = { validAtSlot: number | undefined; lastValidSlot: number; invalidSinceSlot: number | undefined }

/**
 * "Not valid" does not mean expired: a blockhash is also invalid to a bank that is older than the blockhash. Only one
 * that is still invalid a whole lifetime later has expired. Behind one address there may be machines of which each is at
 * another slot: one that is behind counts only when it has passed the time at which the payment came.
 */
export function createBlockhashLife(rpc: JsonRpc): BlockhashLife {
  const seen = createBoundedCache<string, Seen>({ capacity: REMEMBERED })
  return {
    async lifeOf(blockhash, claimedAtMs) {
      const [newest, finalized] = await Promise.all([
        validity(rpc, blockhash, 'processed'),
        validity(rpc, blockhash, 'finalized'),
      ])
      const newestSlot = newest.context.slot
      const finalSlot = finalized.context.slot
      if (newestSlot < finalSlot)
        throw new Error('two machines answered for one node, and one of them is behind')
      const before = seen.get(blockhash)
      const isValid = newest.value || finalized.value
      const validAtSlot = before?.validAtSlot ?? (isValid ? finalSlot : undefined)
      const lastValidSlot = Math.max(before?.lastValidSlot ?? 0, isValid ? newestSlot : 0)
      const invalidSinceSlot = isValid
        ? undefined
        : Math.max(before?.invalidSinceSlot ?? newestSlot, lastValidSlot)
      seen.set(blockhash, { validAtSlot, lastValidSlot, invalidSinceSlot })
      const isLongInvalid =
        invalidSinceSlot !== undefined && finalSlot >= invalidSinceSlot + BLOCKHASH_LIFE_SLOTS
      const isExpired = isLongInvalid && (await isAfter(rpc, finalSlot, claimedAtMs))
      return {
        floorSlot: validAtSlot === undefined ? 0 : Math.max(0, validAtSlot - BLOCKHASH_LIFE_SLOTS),
        goneAtSlot: isExpired ? finalSlot : undefined,
      }
    },
  }
}

async function isAfter(rpc: JsonRpc, slot: number, claimedAtMs: number | undefined): Promise<boolean> {
  if (claimedAtMs === undefined) return true
  const timeS = z.int().parse(await rpc.call('getBlockTime', [slot]))
  return timeS > claimedAtMs / SECOND_MS + KNOWN_AFTER_S
}

async function validity(rpc: JsonRpc, blockhash: string, commitment: 'processed' | 'finalized') {
  return Validity.parse(await rpc.call('isBlockhashValid', [blockhash, { commitment }]))
}
