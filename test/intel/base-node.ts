import {
  type Address,
  decodeFunctionData,
  encodeFunctionResult,
  type Hex,
  numberToHex,
  pad,
  parseAbi,
  toEventSelector,
} from 'viem'
import {
  type LoopbackReply,
  type LoopbackServer,
  startLoopbackServer,
} from '../../src/sandbox/loopback-server.ts'
import type { TokenWorld } from '../../src/sandbox/tokens/token-world.ts'
import { runReads } from '../../src/testing/upstreams/run-reads.ts'

export type NodeOutage = 'reset' | 'hang' | 'error'
/** A node of the simulated Base, as far as the sources ask one. */
export type BaseNode = Pick<LoopbackServer, 'url' | 'close'> & {
  /** Without an outage it is well again. */
  fail(outage?: NodeOutage): void
  calls(): number
}

const BLOCK_MS = 2_000
const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const ERC20 = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
])
const NEVER = new Promise<undefined>(() => {})

export async function startBaseNode(tokens: TokenWorld, nowMs: () => number): Promise<BaseNode> {
  let outage: NodeOutage | undefined
  let calls = 0
  const server = await startLoopbackServer({
    async answer({ body }): Promise<LoopbackReply | undefined> {
      calls++
      if (outage === 'reset') return undefined
      if (outage === 'hang') return NEVER
      if (outage === 'error') return { status: 500, body: '{}' }
      const { id, method, params } = JSON.parse(body.toString('utf8')) as Asked
      return { status: 200, body: JSON.stringify({ jsonrpc: '2.0', id, result: answerTo(method, params) }) }
    },
  })
  const answerTo = (method: string, [first]: Asked['params']): unknown => {
    if (method === 'eth_blockNumber') return numberToHex(blockAt(nowMs()))
    if (method === 'eth_getBlockByNumber')
      return { number: first, timestamp: numberToHex((Number(first) * BLOCK_MS) / 1_000) }
    if (method === 'eth_getLogs') return logsOf(tokens, first as LogFilter)
    return readTogether(tokens, first as { data: Hex })
  }
  return {
    url: server.url,
    close: server.close,
    calls: () => calls,
    fail(kind) {
      outage = kind
    },
  }
}

type Asked = { id: number; method: string; params: readonly unknown[] }
type LogFilter = { address: Address; fromBlock: Hex; toBlock: Hex }

const blockAt = (ms: number) => Math.floor(ms / BLOCK_MS)

function logsOf(tokens: TokenWorld, { address, fromBlock, toBlock }: LogFilter) {
  const moves = tokens.whaleMoves(Number(fromBlock) * BLOCK_MS, (Number(toBlock) + 1) * BLOCK_MS)
  return moves
    .filter(({ token }) => token === address.toLowerCase())
    .map(({ from, to, amount, atMs }, i) => ({
      ...{ address, topics: [TRANSFER, pad(from), pad(to)], data: pad(numberToHex(amount)) },
      ...{ blockNumber: numberToHex(blockAt(atMs)), logIndex: numberToHex(i) },
      transactionHash: pad(numberToHex(atMs)),
    }))
}

const readTogether = (tokens: TokenWorld, { data }: { data: Hex }): Hex =>
  runReads(data, (to, callData) => {
    const token = tokens.token(to)
    if (!token) return undefined
    const { functionName } = decodeFunctionData({ abi: ERC20, data: callData })
    return encodeFunctionResult({ abi: ERC20, functionName, result: token[functionName] })
  })
