import { createPublicKey, verify } from 'node:crypto'
import { type Address, address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit'

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const ATA_PROGRAM = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
/** What DER puts before the 32 bytes of an ed25519 key (RFC 8410). */
const ED25519_SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
const encoder = getAddressEncoder()

export type TokenAccountOf = (owner: string, mint: string) => Promise<string>

/** Owners and mints are ours, from the terms: as many are remembered as there are ways to be paid. */
export function createTokenAccountOf(): TokenAccountOf {
  const known = new Map<string, Promise<string>>()
  return (owner, mint) => {
    const name = `${owner}/${mint}`
    const account = known.get(name) ?? deriveTokenAccount(owner, mint)
    known.set(name, account)
    return account
  }
}

async function deriveTokenAccount(owner: string, mint: string): Promise<string> {
  const seeds = [owner, TOKEN_PROGRAM, mint].map((part) => encoder.encode(address(part)))
  const [account] = await getProgramDerivedAddress({ programAddress: ATA_PROGRAM, seeds })
  return account
}

export function isSignedBy(signer: Address, signature: Uint8Array, message: Uint8Array): boolean {
  const der = Buffer.concat([ED25519_SPKI_PREFIX, Uint8Array.from(encoder.encode(signer))])
  return verify(null, message, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature)
}
