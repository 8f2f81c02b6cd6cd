import { z } from 'zod'
import type { JsonRpc } from '../json-rpc.ts'
import { type Block, readBlock, toQuantity } from './block.ts'
import { AUTHORIZATION_CANCELED, AUTHORIZATION_USED, type Expected, isAbout, Log } from './logs.ts'

/** The log that used or cancelled an authorization; throws when the search does not find it. */
export type FindUse = (expected: Expected, latest: Block) => Promise<Log>

type Ports = { rpc: JsonRpc; logRangeBlocks: number }

/** Payments we take expire within six minutes of their arrival; careful payers allow fifteen. */
const SEARCH_BACK_S = 1_800
/** A use comes before the expiry. A cancellation may come later; by then it is usually known to be dead. */
const SEARCH_ON_S = 600
/** Enough for half an hour of two-second blocks even at the smallest ranges that are in use. */
const PAGE_LIMIT = 100

/** Pages back from the last block that can matter, because nodes accept only short ranges. */
export function createFindUse({ rpc, logRangeBlocks }: Ports): FindUse {
  return async (expected, latest) => {
    let to = await lastBlockBefore(rpc, latest, expected.validBeforeS + SEARCH_ON_S)
    for (let page = 0; page < PAGE_LIMIT; page++) {
      const from = Math.max(0, to - logRangeBlocks + 1)
      const log = await findLog(rpc, expected, from, to)
      if (log) return log
      if (from === 0 || (await readBlock(rpc, from)).timestamp < expected.validBeforeS - SEARCH_BACK_S) break
      to = from - 1
    }
    throw new Error('the authorization was used, in a block out of reach of the search')
  }
}

async function findLog(rpc: JsonRpc, expected: Expected, from: number, to: number): Promise<Log | undefined> {
  const { token, payerTopic, nonce } = expected
  const filter = {
    address: token,
    topics: [[AUTHORIZATION_USED, AUTHORIZATION_CANCELED], payerTopic, nonce],
    fromBlock: toQuantity(from),
    toBlock: toQuantity(to),
  }
  const logs = z.array(Log).parse(await rpc.call('eth_getLogs', [filter]))
  return logs.find((log) => isAbout(log, expected))
}

/** By bisection, because a process that was down for days looks far back. */
async function lastBlockBefore(rpc: JsonRpc, latest: Block, atS: number): Promise<number> {
  if (latest.timestamp <= atS) return latest.number
  let [low, high] = [0, latest.number]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if ((await readBlock(rpc, middle)).timestamp <= atS) low = middle
    else high = middle
  }
  return low
}
