import type { Hex } from 'viem'
import type { Secret } from '../../core/secret.ts'
import type { Anchor } from '../ports.ts'

/** Marks our call data: `tollbook` in ASCII, then the tree size in 8 bytes and the root in 32. */
const MAGIC = Buffer.from('tollbook')
const SIZE_BYTES = 8
const RPC_TIMEOUT_MS = 10_000
const CONFIRM_LIMIT_MS = 120_000

export function anchorData(rootHash: string, treeSize: number): Hex {
  const size = Buffer.alloc(SIZE_BYTES)
  size.writeBigUInt64BE(BigInt(treeSize))
  return `0x${Buffer.concat([MAGIC, size, Buffer.from(rootHash, 'hex')]).toString('hex')}`
}

/** Writes a root into the call data of a transaction that the key sends to itself and that moves no money. */
export function createEvmAnchor({ rpcUrl, key }: { rpcUrl: string; key: Secret }): Anchor {
  return {
    async anchor(rootHash, treeSize) {
      const [viem, { privateKeyToAccount }] = await Promise.all([import('viem'), import('viem/accounts')])
      const account = privateKeyToAccount(key.reveal() as Hex)
      const transport = viem.http(rpcUrl, { timeout: RPC_TIMEOUT_MS })
      const client = viem.createWalletClient({ account, transport }).extend(viem.publicActions)
      const chainId = await client.getChainId()
      const data = anchorData(rootHash, treeSize)
      const tx = await client.sendTransaction({ chain: null, to: account.address, value: 0n, data })
      const { status } = await client.waitForTransactionReceipt({ hash: tx, timeout: CONFIRM_LIMIT_MS })
      if (status !== 'success') throw new Error(`the transaction ${tx} that anchors the record failed`)
      return { network: `eip155:${chainId}`, tx }
    },
  }
}
