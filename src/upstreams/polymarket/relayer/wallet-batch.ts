import type { Address, Hex, PrivateKeyAccount } from 'viem'
import { POLYMARKET_CONTRACTS } from './addresses.ts'
import { batchTypedData, type UnsignedBatch } from './deposit-wallet.ts'

export type SignedBatch = UnsignedBatch & { owner: Address; signature: Hex }

export async function signBatch(
  owner: Pick<PrivateKeyAccount, 'address' | 'signTypedData'>,
  batch: UnsignedBatch,
): Promise<SignedBatch> {
  const signature = await owner.signTypedData(batchTypedData(batch))
  return { ...batch, owner: owner.address, signature }
}

/** What `POST /submit` takes; numbers are decimal text. */
export const toWalletSubmission = ({ owner, wallet, nonce, deadline, calls, signature }: SignedBatch) => ({
  type: 'WALLET',
  from: owner,
  to: POLYMARKET_CONTRACTS.walletFactory,
  nonce: String(nonce),
  signature,
  depositWalletParams: {
    depositWallet: wallet,
    deadline: String(deadline),
    calls: calls.map(({ target, value, data }) => ({ target, value: String(value), data })),
  },
})

export const toCreateSubmission = (owner: Address) => ({
  type: 'WALLET-CREATE',
  from: owner,
  to: POLYMARKET_CONTRACTS.walletFactory,
})
