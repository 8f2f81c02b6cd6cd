import { z } from 'zod'
import { createBoundedCache } from '../../../core/bounded-cache.ts'
import { findWireTransaction, messageHash, WIRE_LIMIT_BYTES } from '../../read/svm/svm-transaction.ts'
import { type JsonRpc, JsonRpcRefusal } from '../json-rpc.ts'

export type MessageHashes = {
  /** Whether `landed` can tell without asking the node. */
  knows(signature: string): boolean
  /**
   * Hash of the message of a confirmed transaction that succeeded; undefined for any other signature. One that no payment
   * can be has a word instead: anybody may put a payer's address into such a transaction.
   */
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

/** Of a version newer than payments have. */
const NEWER_VERSION = -32_015
const NO_PAYMENT = 'no payment'

export function createMessageHashes(rpc: JsonRpc): MessageHashes {
  const known = createBoundedCache<string, string>({ capacity: REMEMBERED })
  return {
    knows: (signature) => known.get(signature) !== undefined,
    async landed(signature) {
      const before = known.get(signature)
      if (before !== undefined) return before
      const options = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 0 }
      const reply = await rpc.call('getTransaction', [signature, options]).catch((error) => {
        if (error instanceof JsonRpcRefusal && error.code === NEWER_VERSION) return NO_PAYMENT
        throw error
      })
      const hash = reply === NO_PAYMENT ? NO_PAYMENT : readHash(reply)
      if (hash !== undefined) known.set(signature, hash)
      return hash
    },
  }
}

function readHash(reply: unknown): string | undefined {
  const found = Transaction.parse(reply)
  if (!found || found.meta.err !== null) return undefined
  const [base64] = found.transaction
  if (Buffer.byteLength(base64, 'base64') > WIRE_LIMIT_BYTES) return NO_PAYMENT
  const wire = findWireTransaction(base64)
  if (!wire) throw new Error('the node returned a transaction that cannot be read')
  return messageHash(wire.message)
}
