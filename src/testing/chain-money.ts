import { address as toAddress } from '@solana/kit'
import { EVM_CONTRACTS } from '../sandbox/chains/evm/contracts.ts'
import { createRpc } from '../sandbox/chains/evm/rpc-client.ts'
import { findUsdcAccount } from '../sandbox/chains/svm/usdc-account.ts'
import type { Buyer } from './buyer.ts'

/** What the buyer's wallet holds on chain, in millionths of a dollar. */
export async function moneyOf({
  address,
  rpcUrl,
}: Pick<Buyer, 'address' | 'rpcUrl'> & Partial<Buyer>): Promise<bigint> {
  const rpc = createRpc(rpcUrl)
  if (address.startsWith('0x')) {
    const data = `0x70a08231${address.slice(2).padStart(64, '0')}`
    return BigInt(String(await rpc('eth_call', { to: EVM_CONTRACTS.TestUsdc, data }, 'latest')))
  }
  const account = await findUsdcAccount(toAddress(address))
  const { value } = (await rpc('getTokenAccountBalance', account)) as { value: { amount: string } }
  return BigInt(value.amount)
}
