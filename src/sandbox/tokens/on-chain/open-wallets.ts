import { toHex } from 'viem'
import { callTogether, type Rpc } from '../../chains/evm/rpc-client.ts'
import type { SimWallet } from '../token-world.ts'
import { readNumbers, sendAs } from './chain-calls.ts'

/** Gives wallets their ether and their past: how much they have sent, and whom they allowed to take their tokens. */
export async function openWallets(rpc: Rpc, wallets: readonly SimWallet[]): Promise<void> {
  const given = wallets.flatMap(({ address, approvals }) =>
    approvals.map((each) => ({ ...each, owner: address })),
  )
  const allowed = await readNumbers(
    rpc,
    given.map(({ token, owner, spender }) => ({ to: token, name: 'allowance', args: [owner, spender] })),
  )
  for (const [i, { token, owner, spender, amount }] of given.entries())
    if (allowed[i] !== amount)
      await sendAs(rpc, owner, { to: token, name: 'approve', args: [spender, amount] })
  // Last: what was approved is among what they have sent.
  const sent = await callTogether(
    rpc,
    wallets.map(({ address }) => ['eth_getTransactionCount', address, 'latest'] as const),
  )
  const fresh = wallets.filter(({ transactions }, i) => Number(sent[i]) < transactions)
  await callTogether(
    rpc,
    fresh.flatMap(({ address, ether, transactions }) => [
      ['anvil_setBalance', address, toHex(ether)] as const,
      ['anvil_setNonce', address, toHex(transactions)] as const,
    ]),
  )
}
