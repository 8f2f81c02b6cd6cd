import { concatBytes, hexToBytes, keccak256, stringToBytes } from 'viem'
import type { Requirement } from '../../catalog/document.ts'
import type { Authorization } from './evm-authorization.ts'

/** EIP-712 by hand for the one message we read: a tenth of the time of the general encoder. */
const DOMAIN_TYPE = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'
const MESSAGE_TYPE =
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)'
const WORD_BYTES = 32
const MESSAGE_TYPE_HASH = hashOf(MESSAGE_TYPE)
const PREFIX = new Uint8Array([0x19, 0x01])

export type HashAuthorization = (authorization: Authorization, requirement: Requirement) => Uint8Array

/** The digest a payer signs. Requirements are ours, so the domains remembered are as many as the tokens we take. */
export function createHashAuthorization(): HashAuthorization {
  const domains = new Map<string, Uint8Array>()
  const domainOf = (requirement: Requirement) => {
    const { network, asset, extra } = requirement
    const name = JSON.stringify([network, asset, extra])
    const known = domains.get(name) ?? domainSeparator(requirement)
    domains.set(name, known)
    return known
  }
  return (authorization, requirement) => {
    const { from, to, value, validAfter, validBefore, nonce } = authorization
    const message = concatBytes([
      MESSAGE_TYPE_HASH,
      word(from),
      word(to),
      word(toHex(value)),
      word(toHex(validAfter)),
      word(toHex(validBefore)),
      word(nonce),
    ])
    return keccak256(concatBytes([PREFIX, domainOf(requirement), keccak256(message, 'bytes')]), 'bytes')
  }
}

function domainSeparator({ network, asset, extra }: Requirement): Uint8Array {
  const chainId = network.slice('eip155:'.length)
  const encoded = concatBytes([
    hashOf(DOMAIN_TYPE),
    hashOf(extra.name ?? ''),
    hashOf(extra.version ?? ''),
    word(toHex(chainId)),
    word(asset),
  ])
  return keccak256(encoded, 'bytes')
}

function hashOf(text: string): Uint8Array {
  return keccak256(stringToBytes(text), 'bytes')
}

function toHex(decimal: string): string {
  return `0x${BigInt(decimal).toString(16)}`
}

function word(hex: string): Uint8Array {
  return hexToBytes(`0x${hex.slice(2).padStart(2 * WORD_BYTES, '0')}`)
}
