import type { Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Secret } from '../../../core/secret.ts'
import { LONGEST_VALIDITY_S } from '../../../upstreams/polymarket/relayer/deposit-wallet.ts'
import { signBatch } from '../../../upstreams/polymarket/relayer/wallet-batch.ts'
import { approvalCalls } from '../../../upstreams/polymarket/relayer/wallet-calls.ts'
import type { Custody } from '../custody.ts'

/** The account that the service trades with at the simulated venue. */
export type OperatorWallet = { owner: Address; wallet: Address; ownerKey: Secret }

const FIRST_MONEY = 1_000_000_000n

/** With play money and approvals from its first start on. What a start left undone the next one does. */
export async function openOperatorWallet(
  ownerKey: Secret,
  custody: Custody,
  nowMs: () => number,
): Promise<OperatorWallet> {
  const owner = privateKeyToAccount(ownerKey.reveal() as `0x${string}`)
  const wallet = custody.walletOf(owner.address)
  if (!(await custody.isDeployed(wallet))) await custody.deploy(owner.address)
  // The approvals are its first batch: later it has the money that it made.
  if ((await custody.nonceOf(wallet)) === 0n) {
    const held = await custody.collateralOf(wallet)
    if (held < FIRST_MONEY) await custody.mint(wallet, FIRST_MONEY - held)
    const deadline = BigInt(Math.floor(nowMs() / 1000) + LONGEST_VALIDITY_S)
    const calls = approvalCalls()
    const { owner: _, ...batch } = await signBatch(owner, { wallet, nonce: 0n, deadline, calls })
    await custody.execute(batch)
  }
  return { owner: owner.address, wallet, ownerKey }
}
