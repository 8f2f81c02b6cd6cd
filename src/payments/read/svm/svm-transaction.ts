import { createHash } from 'node:crypto'
import {
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getCompiledTransactionMessageDecoder,
} from '@solana/kit'

/** A Solana transaction on the wire: its signatures, and the message bytes that they sign. */
export type WireTransaction = { signatures: readonly Uint8Array[]; message: Uint8Array }
export type Message = CompiledTransactionMessage & CompiledTransactionMessageWithLifetime & { version: 0 }

/** The size of a packet on the Solana network. */
export const WIRE_LIMIT_BYTES = 1_232
const SIGNATURE_BYTES = 64
/** Counts below this take one byte, and no transaction that fits a packet has more signatures. */
const ONE_BYTE_COUNT = 0x80
const decoder = getCompiledTransactionMessageDecoder()

export function findWireTransaction(base64: string): WireTransaction | undefined {
  const wire = Buffer.from(base64, 'base64')
  if (wire.length > WIRE_LIMIT_BYTES || wire.toString('base64') !== base64) return undefined
  const count = wire[0] ?? 0
  const messageAt = 1 + count * SIGNATURE_BYTES
  if (count === 0 || count >= ONE_BYTE_COUNT || messageAt >= wire.length) return undefined
  const signatures = Array.from({ length: count }, (_, at) =>
    wire.subarray(1 + at * SIGNATURE_BYTES, 1 + (at + 1) * SIGNATURE_BYTES),
  )
  return { signatures, message: wire.subarray(messageAt) }
}

/** The bytes as a v0 message; undefined for any other, or where bytes are left over. */
export function findMessage(bytes: Uint8Array): Message | undefined {
  try {
    const [message, end] = decoder.read(bytes, 0)
    return message.version === 0 && end === bytes.length ? message : undefined
  } catch {
    return undefined
  }
}

/** Identifies a payment whoever pays the fee: signatures are not part of it. */
export function messageHash(message: Uint8Array): string {
  return createHash('sha256').update(message).digest('hex')
}
