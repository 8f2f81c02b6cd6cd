import { z } from 'zod'
import type { JsonRpc } from '../json-rpc.ts'
import { Quantity } from './logs.ts'

export const Block = z.object({ number: Quantity, timestamp: Quantity })
export type Block = z.infer<typeof Block>

export async function readBlock(rpc: JsonRpc, at: number | 'latest'): Promise<Block> {
  const tag = at === 'latest' ? at : toQuantity(at)
  const block = Block.parse(await rpc.call('eth_getBlockByNumber', [tag, false]))
  if (at !== 'latest' && block.number !== at) throw new Error('the node returned another block')
  return block
}

export function toQuantity(number: number): string {
  return `0x${number.toString(16)}`
}
