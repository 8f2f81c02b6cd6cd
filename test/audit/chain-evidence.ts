import { address as toAddress } from '@solana/kit'
import { toEventSelector } from 'viem'
import { z } from 'zod'
import { EVM_CONTRACTS } from '../../src/sandbox/chains/evm/contracts.ts'
import { createRpc, type Rpc } from '../../src/sandbox/chains/evm/rpc-client.ts'
import { findUsdcAccount } from '../../src/sandbox/chains/svm/usdc-account.ts'
import { moneyOf } from '../../src/testing/chain-money.ts'
import { evmIdOf, svmIdOf } from '../buying/payment-id.ts'
import type { PayTo } from '../buying/terms.ts'

/** Money that reached the operator, read from the chain. */
export type Transfer = { id: string; transaction: string; amount: bigint }
/** Addresses of a node of each chain. */
export type Nodes = { evm: string; svm: string }
export type ChainEvidence = {
  /** The Solana of the sandbox forgets old transactions: read it now and then. */
  look(): Promise<void>
  transfers(): Promise<Transfer[]>
  /** What the operator holds on both chains. */
  held(): Promise<bigint>
}

const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const AUTHORIZATION_USED = toEventSelector('AuthorizationUsed(address,bytes32)')
const WORD_CHARS = 64
const ADDRESS_CHARS = 40
/** A node lists no more in one answer; looked at often enough, fewer are new. */
const MAX_LISTED = 1_000

const Logs = z.array(z.object({ topics: z.array(z.string()), data: z.string(), transactionHash: z.string() }))
const Listed = z.array(z.object({ signature: z.string(), err: z.unknown() }))
const Balances = z.array(z.object({ owner: z.string(), uiTokenAmount: z.object({ amount: z.string() }) }))
const Found = z.object({
  transaction: z.tuple([z.string(), z.literal('base64')]),
  meta: z.object({ preTokenBalances: Balances, postTokenBalances: Balances }),
})

export function createChainEvidence({ evm, svm }: Nodes, payTo: PayTo): ChainEvidence {
  const onEvm = createRpc(evm)
  const onSvm = createRpc(svm)
  const solana = new Map<string, Transfer>()
  const look = async () => {
    const account = await findUsdcAccount(toAddress(payTo.svm))
    const listed = Listed.parse(await onSvm('getSignaturesForAddress', account, { limit: MAX_LISTED }))
    const fresh = listed.filter(({ signature, err }) => err === null && !solana.has(signature))
    if (fresh.length === MAX_LISTED)
      throw new Error('more Solana payments than one look can see: look oftener')
    for (const { signature } of fresh) solana.set(signature, await readSolana(onSvm, signature, payTo.svm))
  }
  return {
    look,
    async transfers() {
      await look()
      return [...(await readEvm(onEvm, payTo.evm)), ...solana.values()]
    },
    held: async () =>
      (await moneyOf({ address: payTo.evm, rpcUrl: evm })) +
      (await moneyOf({ address: payTo.svm, rpcUrl: svm })),
  }
}

async function readEvm(rpc: Rpc, payTo: string): Promise<Transfer[]> {
  const logsOf = async (topics: (string | null)[]) =>
    Logs.parse(
      await rpc('eth_getLogs', {
        fromBlock: '0x0',
        toBlock: 'latest',
        address: EVM_CONTRACTS.TestUsdc,
        topics,
      }),
    )
  const used = new Map<string, string>()
  for (const { topics, transactionHash } of await logsOf([AUTHORIZATION_USED]))
    used.set(
      transactionHash,
      evmIdOf(`0x${topics[1]?.slice(-ADDRESS_CHARS)}`, topics[2] ?? `no nonce in ${transactionHash}`),
    )
  const to = `0x${payTo.slice(2).toLowerCase().padStart(WORD_CHARS, '0')}`
  return (await logsOf([TRANSFER, null, to])).map(({ data, transactionHash }) => ({
    id: used.get(transactionHash) ?? `no authorization in ${transactionHash}`,
    transaction: transactionHash,
    amount: BigInt(data),
  }))
}

async function readSolana(rpc: Rpc, signature: string, payTo: string): Promise<Transfer> {
  const { transaction, meta } = Found.parse(await rpc('getTransaction', signature, { encoding: 'base64' }))
  const held = (balances: z.infer<typeof Balances>) =>
    BigInt(balances.find(({ owner }) => owner === payTo)?.uiTokenAmount.amount ?? 0)
  const amount = held(meta.postTokenBalances) - held(meta.preTokenBalances)
  return { id: svmIdOf(transaction[0]), transaction: signature, amount }
}
