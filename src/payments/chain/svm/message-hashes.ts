import { z } from 'zod'
import { createBoundedCache } from '../../../core/bounded-cache.ts'
import { findWireTransaction, messageHash } from '../../read/svm/svm-transaction.ts'
import type { JsonRpc } from '../json-rpc.ts'

export type MessageHashes = {
  /** Hash of the message of a confirmed transaction that succeeded; undefined for any other signature. */
  landed(signature: string): Promise<string | undefined>
}

/** A signature belongs to one message for ever, so what was read is never out of date. */
const REMEMBERED = 10_000
const Transaction = z.nullable(
  z.object({
    transaction: z.tuple([z.string(), z.literal('base64')]),
    meta: z.object({ err: z.unknown() }),
  }),
)

export function createMessageHashes(rpc: JsonRpc): MessageHashes {
  const known = createBoundedCache<string, string>({ capacity: REMEMBERED })
  return {
    async landed(signature) {
      const before = known.get(signature)
      if (before !== undefined) return before
      const options = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 0 }
      const found = Transaction.parse(await rpc.call('getTransaction', [signature, options]))
      if (!found || found.meta.err !== null) return undefined
      const wire = findWireTransaction(found.transaction[0])
      if (!wire) throw new Error('the node returned a transaction that cannot be read')
      const hash = messageHash(wire.message)
      known.set(signature, hash)
      return hash
    },
  }
}
