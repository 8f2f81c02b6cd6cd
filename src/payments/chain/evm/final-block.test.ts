import { expect, test } from 'vitest'
import { type JsonRpc, JsonRpcRefusal } from '../json-rpc.ts'
import { FINAL_AFTER_BLOCKS, readFinalBlock } from './final-block.ts'

const toHex = (value: number) => `0x${value.toString(16)}`
const blockOf = (number: number) => ({ number: toHex(number), timestamp: toHex(2 * number) })

/** A node at a height that answers for the tag in its own way. */
function nodeAt(height: number, tagged: () => unknown): JsonRpc {
  return {
    async call(_, [tag]) {
      if (tag === 'finalized') return tagged()
      return blockOf(tag === 'latest' ? height : Number(tag))
    },
    batch: async () => [],
  }
}
const refuse = () => {
  throw new JsonRpcRefusal('eth_getBlockByNumber', { code: -39_001, message: 'unknown block' })
}

test.each<[string, number, () => unknown, number]>([
  ['the node knows it', 5_000, () => blockOf(4_000), 4_000],
  ['the tag is refused', 5_000, refuse, 5_000 - FINAL_AFTER_BLOCKS],
  ['there is none yet', 5_000, () => null, 5_000 - FINAL_AFTER_BLOCKS],
  ['a young chain without a tag', 10, refuse, 0],
])('the final block where %s', async (_, height, tagged, number) => {
  expect(await readFinalBlock(nodeAt(height, tagged))).toEqual({ number, timestamp: 2 * number })
})

test('a node that does not answer has no final block', async () => {
  const silent = nodeAt(5_000, () => {
    throw new Error('the chain node answered 429')
  })
  await expect(readFinalBlock(silent)).rejects.toThrow('429')
})
