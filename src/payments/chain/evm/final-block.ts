import { type JsonRpc, JsonRpcRefusal, type RpcCall } from '../json-rpc.ts'
import { Block, readBlock } from './block.ts'
import { Quantity } from './logs.ts'

/** An hour on Base, where the tag is about 15 to 20 minutes behind the head. For nodes that do not know the tag. */
export const FINAL_AFTER_BLOCKS = 1_800

/** How a machine is asked, beside another question, how far its own blocks go: all of them, or the final ones. */
export type OwnHeight = { call: RpcCall; numberOf(reply: unknown): number }

/** Of a machine that has no final block yet, while another behind the same address has one. */
const NOTHING_FINAL = -1
const TAGGED: OwnHeight = {
  call: ['eth_getBlockByNumber', ['finalized', false]],
  numberOf: (reply) => Block.nullable().parse(reply)?.number ?? NOTHING_FINAL,
}
const DEEP: OwnHeight = {
  call: ['eth_blockNumber', []],
  numberOf: (reply) => Quantity.parse(reply) - FINAL_AFTER_BLOCKS,
}

/** The newest block that nothing can take back, by the node's own word, or deep enough. */
export async function readFinalBlock(rpc: JsonRpc): Promise<Block> {
  return (await readFinal(rpc)).block
}

export async function readFinal(rpc: JsonRpc): Promise<{ block: Block; own: OwnHeight }> {
  const tagged = await rpc.call(...TAGGED.call).catch((error) => {
    if (error instanceof JsonRpcRefusal) return null
    throw error
  })
  if (tagged !== null) return { block: Block.parse(tagged), own: TAGGED }
  const { number } = await readBlock(rpc, 'latest')
  return { block: await readBlock(rpc, Math.max(0, number - FINAL_AFTER_BLOCKS)), own: DEEP }
}
