import { base58 } from '@scure/base'
import { isAddress } from 'viem/utils'
import { z } from 'zod'

const SVM_BYTES = 32

/** Mixed case is a checksum (EIP-55): a letter typed wrongly must not receive money. */
export const evmAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')
  .refine((address) => isOneCase(address) || isAddress(address), 'has a wrong checksum: copy it again')
  .refine((address) => /[1-9a-f]/i.test(address.slice(2)), 'must not be the zero address')

const isOneCase = (address: string) =>
  [address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`].includes(address)

export const svmAddress = z
  .string()
  .refine((address) => findBytes(address)?.length === SVM_BYTES, 'must be base58 of 32 bytes')

function findBytes(address: string): Uint8Array | undefined {
  try {
    return base58.decode(address)
  } catch {
    return undefined
  }
}
