import { base58 } from '@scure/base'
import { type Address, address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit'
import type { Usd } from '../../../core/money.ts'
import { SVM_USDC as CANONICAL_MINT } from '../../../core/usdc.ts'

export const SVM_USDC = address(CANONICAL_MINT)
export const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const ATA_PROGRAM = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')

export const USDC_DECIMALS = 6
/** Layouts of the SPL Token program: a mint takes 82 bytes, an account 165. */
const MINT_BYTES = 82
const ACCOUNT_BYTES = 165
const AT = { supply: 36, decimals: 44, isMintInitialized: 45, owner: 32, amount: 64, state: 108 } as const
const MINT_SUPPLY = 10n ** 15n

/** The associated token account of `owner`. */
export async function findUsdcAccount(owner: Address): Promise<Address> {
  const encoder = getAddressEncoder()
  const seeds = [owner, TOKEN_PROGRAM, SVM_USDC].map((each) => encoder.encode(each))
  const [account] = await getProgramDerivedAddress({ programAddress: ATA_PROGRAM, seeds })
  return account
}

/** A mint without authorities: only the sandbox itself can mint or freeze USDC. */
export function encodeUsdcMint(): Uint8Array {
  const mint = Buffer.alloc(MINT_BYTES)
  mint.writeBigUInt64LE(MINT_SUPPLY, AT.supply)
  mint.writeUInt8(USDC_DECIMALS, AT.decimals)
  mint.writeUInt8(1, AT.isMintInitialized)
  return mint
}

/** How the SPL Token program notes it. */
const STATES = { open: 1, frozen: 2 } as const

export function encodeUsdcAccount(
  owner: Address,
  amount: Usd,
  state: keyof typeof STATES = 'open',
): Uint8Array {
  const account = Buffer.alloc(ACCOUNT_BYTES)
  account.set(base58.decode(SVM_USDC), 0)
  account.set(base58.decode(owner), AT.owner)
  account.writeBigUInt64LE(amount, AT.amount)
  account.writeUInt8(STATES[state], AT.state)
  return account
}

/** `undefined` for anything but a USDC account. */
export function parseUsdcAccount(data: Uint8Array): { owner: string; amount: Usd } | undefined {
  if (data.length !== ACCOUNT_BYTES) return undefined
  const account = Buffer.from(data)
  if (base58.encode(account.subarray(0, AT.owner)) !== SVM_USDC) return undefined
  return {
    owner: base58.encode(account.subarray(AT.owner, AT.amount)),
    amount: account.readBigUInt64LE(AT.amount) as Usd,
  }
}
