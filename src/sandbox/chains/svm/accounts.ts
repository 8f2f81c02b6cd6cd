import { type Address, address as toAddress } from '@solana/kit'
import type { LiteSVM } from 'litesvm'
import type { KeptAccount } from './journal.ts'

export type SvmAccount = {
  address: Address
  program: Address
  lamports: bigint
  data: Uint8Array
  executable: boolean
}

export const SYSTEM_PROGRAM = toAddress('11111111111111111111111111111111')

/** What is kept of an account that is no more: to put it removes it. */
export const closedAccount = (address: Address): SvmAccount => ({
  address,
  program: SYSTEM_PROGRAM,
  lamports: 0n,
  data: new Uint8Array(),
  executable: false,
})

/** LiteSVM is typed against a newer major of @solana/kit than the payment packages: addresses are cast here only. */
export function findAccount(svm: LiteSVM, address: Address): SvmAccount | undefined {
  const account = svm.getAccount(address as SvmAddress)
  if (!account.exists) return undefined
  return {
    address,
    program: account.programAddress as string as Address,
    lamports: account.lamports,
    data: new Uint8Array(account.data),
    executable: account.executable,
  }
}

type SvmAddress = Parameters<LiteSVM['getAccount']>[0]
type SvmLamports = Parameters<LiteSVM['airdrop']>[1]

export function putAccount(
  svm: LiteSVM,
  { address, program, lamports, data }: Omit<SvmAccount, 'executable'>,
): void {
  svm.setAccount({
    address: address as string as SvmAddress,
    programAddress: program as string as SvmAddress,
    lamports: lamports as SvmLamports,
    data: new Uint8Array(data),
    executable: false,
    space: BigInt(data.length),
  })
}

export function toKept({ address, program, lamports, data }: SvmAccount): KeptAccount {
  return { address, program, lamports: lamports.toString(), data: Buffer.from(data).toString('base64') }
}

export function fromKept({ address, program, lamports, data }: KeptAccount): Omit<SvmAccount, 'executable'> {
  return {
    address: address as Address,
    program: program as Address,
    lamports: BigInt(lamports),
    data: Buffer.from(data, 'base64'),
  }
}
