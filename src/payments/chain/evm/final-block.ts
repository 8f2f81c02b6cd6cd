import { type JsonRpc, JsonRpcRefusal } from '../json-rpc.ts'
import { Block, readBlock } from './block.ts'

/** An hour on Base, where the tag is about 15 to 20 minutes behind the head. For nodes that do not know the tag. */
export const FINAL_AFTER_BLOCKS = 1_800

/** The newest block that nothing can take back, by the node's own word, or deep enough. */
export async function readFinalBlock(rpc: JsonRpc): Promise<Block> {
  const tagged = await rpc.call('eth_getBlockByNumber', ['finalized', false]).catch((error) => {
    if (error instanceof JsonRpcRefusal) return null
    throw error
  })
  if (tagged !== null) return Block.parse(tagged)
  const { number } = await readBlock(rpc, 'latest')
  return readBlock(rpc, Math.max(0, number - FINAL_AFTER_BLOCKS))
}
