import {
  type Abi,
  createPublicClient,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hashMessage,
  http,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { serializeErc6492Signature } from 'viem/utils'
import { abiOf, EVM_CONTRACTS } from '../../sandbox/chains/evm/contracts.ts'
import type { Rpc } from '../../sandbox/chains/evm/rpc-client.ts'

/** A wallet of the sandbox's factory. Its owner signs; without code it signs with how to deploy it (ERC-6492). */
export type SmartWallet = { address: Hex; sign(message: string): Promise<Hex> }

const FACTORY = EVM_CONTRACTS.SmartWalletFactory

/** `rpc` may send from the chain's own accounts: it pays for the deployment and hands out project tokens. */
export async function makeSmartWallet(
  { rpc, rpcUrl }: { rpc: Rpc; rpcUrl: string },
  owner: PrivateKeyAccount,
  { isDeployed, salt, tokens }: { isDeployed: boolean; salt: number; tokens: bigint },
): Promise<SmartWallet> {
  const args = [owner.address, `0x${salt.toString(16).padStart(64, '0')}`]
  const abi: Abi = abiOf('SmartWalletFactory')
  const client = createPublicClient({ chain: base, transport: http(rpcUrl) })
  const address = (await client.readContract({
    address: FACTORY,
    abi,
    functionName: 'addressOf',
    args,
  })) as Hex
  const create = encodeFunctionData({ abi, functionName: 'create', args })
  const mint = encodeFunctionData({
    abi: abiOf('ProjectToken'),
    functionName: 'mint',
    args: [address, tokens * 10n ** 18n],
  })
  const [from] = (await rpc('eth_accounts')) as Hex[]
  await rpc('eth_sendTransactionSync', { from, to: EVM_CONTRACTS.ProjectToken, data: mint })
  if (isDeployed) await rpc('eth_sendTransactionSync', { from, to: FACTORY, data: create })
  return {
    address,
    async sign(message) {
      const signature = wrap(await owner.sign({ hash: hashMessage(message) }))
      return isDeployed ? signature : serializeErc6492Signature({ address: FACTORY, data: create, signature })
    },
  }
}

const wrap = (signature: Hex) =>
  encodeAbiParameters([{ type: 'uint256' }, { type: 'bytes' }], [0n, signature])
