import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { base58 } from '@scure/base'

/** DER in front of the 32 bytes of a private key, PKCS #8, and of a public key, SPKI (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
/** Multicodec `ed25519-pub` (0xed) as a varint. */
const MULTICODEC = Buffer.from([0xed, 0x01])

export function privateKeyOf(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
}

export function publicKeyOf(bytes: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, bytes]), format: 'der', type: 'spki' })
}

/** The did:key of a private key: it contains the public key, so a signature can be checked without asking its owner. */
export function didKeyOf(privateKey: KeyObject): string {
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  return `did:key:z${base58.encode(Buffer.concat([MULTICODEC, spki.subarray(SPKI_PREFIX.length)]))}`
}
