import type { IncomingHttpHeaders } from 'node:http'
import { type Address, getAddress, type Hex, isAddress, recoverTypedDataAddress } from 'viem'
import { SECOND_MS } from '../../../../core/time/time.ts'
import { POLYMARKET_CHAIN_ID } from '../../../../upstreams/polymarket/relayer/addresses.ts'
import { isSameAddress } from '../../../prediction/accounts/api-keys.ts'
import { Refusal } from '../../../prediction/accounts/refusal.ts'

/** How far a request's time may be from the venue's. */
export const TIME_WINDOW_S = 60

const TYPES = {
  ClobAuth: [
    { name: 'address', type: 'address' },
    { name: 'timestamp', type: 'string' },
    { name: 'nonce', type: 'uint256' },
    { name: 'message', type: 'string' },
  ],
} as const
const MESSAGE = 'This message attests that I control the given wallet'

/** The address that signed the request with its own key (EIP-712). */
export async function readL1(headers: IncomingHttpHeaders, nowMs: number) {
  const { address, signature, timestamp } = readCommon(headers)
  const nonce = headers.poly_nonce ?? '0'
  const isWhole = typeof nonce === 'string' && /^\d{1,20}$/.test(nonce)
  if (!isWhole || !/^0x[0-9a-fA-F]{130}$/.test(signature) || !isTimely(timestamp, nowMs)) throw refused()
  const signer = await recoverTypedDataAddress({
    domain: { name: 'ClobAuthDomain', version: '1', chainId: POLYMARKET_CHAIN_ID },
    types: TYPES,
    primaryType: 'ClobAuth',
    message: { address, timestamp, nonce: BigInt(nonce), message: MESSAGE },
    signature: signature as Hex,
  }).catch(() => undefined)
  if (!signer || !isSameAddress(signer, address)) throw refused()
  return { address: signer, nonce: BigInt(nonce).toString() }
}

const refused = () => new Refusal(401, 'Invalid L1 Request headers')

function readCommon(headers: IncomingHttpHeaders): {
  address: Address
  signature: string
  timestamp: string
} {
  const { poly_address: address, poly_signature: signature, poly_timestamp: timestamp } = headers
  if (typeof address !== 'string' || !isAddress(address, { strict: false })) throw refused()
  if (typeof signature !== 'string' || typeof timestamp !== 'string') throw refused()
  return { address: getAddress(address.toLowerCase()), signature, timestamp }
}

export function isTimely(timestamp: string, nowMs: number): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false
  return Math.abs(Number(timestamp) - nowMs / SECOND_MS) <= TIME_WINDOW_S
}
