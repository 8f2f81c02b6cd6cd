import type { JsonRpc } from '../json-rpc.ts'
import { type Block, readBlock } from './block.ts'

/** As on Base; elsewhere only the first guess is worse. */
const BLOCK_S = 2

/** The newest block that is not newer than `atS`; the first one where all are. */
export async function findBlockAt(rpc: JsonRpc, latest: Block, atS: number): Promise<number> {
  if (latest.timestamp <= atS) return latest.number
  let high = latest
  let back = Math.ceil((latest.timestamp - atS) / BLOCK_S)
  let low = await readBlock(rpc, Math.max(0, latest.number - back))
  while (low.timestamp > atS) {
    if (low.number === 0) return 0
    high = low
    back *= 2
    low = await readBlock(rpc, Math.max(0, latest.number - back))
  }
  // Where blocks come regularly a guess by time hits; halving bounds the search where they do not.
  for (let isGuess = true; high.number - low.number > 1; isGuess = !isGuess) {
    const share = isGuess ? (atS - low.timestamp) / (high.timestamp - low.timestamp) : 0.5
    const middle = low.number + Math.max(1, Math.floor(share * (high.number - low.number)))
    const block = await readBlock(rpc, middle)
    if (block.timestamp <= atS) low = block
    else high = block
  }
  return low.number
}
