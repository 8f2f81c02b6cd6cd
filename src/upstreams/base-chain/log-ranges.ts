import type { Hex } from 'viem'
import { z } from 'zod'
import { UpstreamError } from '../upstream.ts'
import { readRows } from '../wire/list.ts'
import { wireArray } from '../wire/text.ts'
import type { ChainNode } from './paced-node.ts'

const hex = (pattern: RegExp) =>
  z
    .string()
    .regex(pattern)
    .transform((text) => text.toLowerCase() as Hex)
export const quantity = () =>
  z
    .string()
    .regex(/^0x[0-9a-fA-F]{1,13}$/)
    .transform(Number)
const MAX_TOPICS = 4

export const ChainLog = z.object({
  address: hex(/^0x[0-9a-fA-F]{40}$/),
  topics: wireArray(hex(/^0x[0-9a-fA-F]{64}$/), MAX_TOPICS, 1),
  data: hex(/^0x[0-9a-fA-F]*$/),
  blockNumber: quantity(),
  logIndex: quantity(),
  transactionHash: hex(/^0x[0-9a-fA-F]{64}$/),
})
export type ChainLog = z.infer<typeof ChainLog>

export type LogQuery = {
  address?: Hex
  topics: readonly (Hex | null)[]
  fromBlock: number
  toBlock: number
}

/** Oldest first. Where that is more than is read, the oldest are missing: `fromBlock` says where those here begin. */
export type FoundLogs = { logs: readonly ChainLog[]; fromBlock: number }

/** What most public nodes allow at once; those that allow less refuse, and are then asked for less. */
const MAX_BLOCKS = 2_000
const MAX_REQUESTS = 24
const MAX_LOGS = 20_000

/** Reads from the newest block backwards, in ranges that the node answers. */
export async function readLogs({ call }: ChainNode, query: LogQuery): Promise<FoundLogs> {
  const found: ChainLog[][] = []
  let [count, blocks, nextTo] = [0, MAX_BLOCKS, query.toBlock]
  for (let asked = 0; nextTo >= query.fromBlock && asked < MAX_REQUESTS && count < MAX_LOGS; asked++) {
    const from = Math.max(query.fromBlock, nextTo - blocks + 1)
    try {
      const logs = toLogs(await call('eth_getLogs', [toFilter(query, from, nextTo)]), query, from, nextTo)
      found.push(logs)
      count += logs.length
      nextTo = from - 1
    } catch (error) {
      const span = nextTo - from + 1
      if (!isTooMuch(error) || span <= 1) throw error
      blocks = Math.ceil(span / 2)
    }
  }
  return { logs: found.reverse().flat(), fromBlock: nextTo + 1 }
}

/** Nodes refuse, or do not answer in time. */
const isTooMuch = (error: unknown) =>
  error instanceof UpstreamError && (error.fault === 'refused' || error.fault === 'down')

const toFilter = ({ address, topics }: LogQuery, fromBlock: number, toBlock: number) => ({
  ...(address && { address }),
  topics,
  fromBlock: toQuantity(fromBlock),
  toBlock: toQuantity(toBlock),
})

export const toQuantity = (number: number): Hex => `0x${number.toString(16)}`

/** A node that ignores the filter must not make us count what we did not ask for. */
function toLogs(
  reply: unknown,
  { address, topics }: LogQuery,
  fromBlock: number,
  toBlock: number,
): ChainLog[] {
  if (!Array.isArray(reply)) throw new UpstreamError('malformed', 'eth_getLogs: not a list')
  const { rows, isBroken } = readRows(reply, ChainLog)
  if (isBroken) throw new UpstreamError('malformed', 'eth_getLogs: most logs cannot be read')
  return rows
    .filter((log) => address === undefined || log.address === address)
    .filter((log) => topics.every((topic, i) => topic === null || log.topics[i] === topic))
    .filter(({ blockNumber }) => blockNumber >= fromBlock && blockNumber <= toBlock)
    .sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
}
