import { verify } from 'node:crypto'
import { type Address, address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit'
import { publicKeyOf } from '../../../core/signing/ed25519.ts'

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const ATA_PROGRAM = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
const encoder = getAddressEncoder()

export type TokenAccountOf = (owner: string, mint: string) => Promise<string>

/** Owners and mints come from our own terms, so there are only as many as ways to be paid. */
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
  return verify(null, message, publicKeyOf(Uint8Array.from(encoder.encode(signer))), signature)
}
