import { type LoopbackReply, startLoopbackServer } from '../loopback-server.ts'

/** What goes wrong with real chain nodes, as those who ask them see it. */
export type NodeFaults = {
  /** Answers every request with this status, 429 for example. */
  status?: number
  /** Never answers. */
  isSilent?: boolean
  /** Its head stands still where it was when it was first asked for. It shows receipts of what came after. */
  isStale?: boolean
  /** Refuses logs of more blocks than this. */
  logRangeBlocks?: number
  /** Has no logs any more. */
  isPruned?: boolean
  /** Does not know which block is final. */
  hasNoFinalTag?: boolean
  /** Has seen no payment: no receipt, no use, no transaction. */
  isBlind?: boolean
  /** It is a node of another chain. */
  chainId?: number
  genesis?: string
}
export type FaultyNode = {
  url: string
  fail(faults: NodeFaults): void
  /** How often a method was asked since the start. */
  count(method: string): number
  close(): Promise<void>
}
type Call = { id: unknown; method: string; params: unknown[] }
type Forward = (method: string, params: unknown[]) => Promise<unknown>
class Refusal extends Error {}

const UNUSED = `0x${'0'.repeat(64)}`
const NO_TAG = 'finalized block not found'
const RANGE_REFUSED = 'query exceeds max block range'

/** A node in front of another one that can fail in the ways of real ones. */
export async function startFaultyNode(target: string, first: NodeFaults = {}): Promise<FaultyNode> {
  let faults = first
  let staleAt: Promise<number> | undefined
  const counts = new Map<string, number>()
  const forward: Forward = async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const reply = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const { error, result } = (await reply.json()) as { error?: { message: string }; result?: unknown }
    if (error) throw new Refusal(error.message)
    return result
  }
  const headOf = async (method: string) => {
    if (!faults.isStale) return Number(await forward(method, []))
    staleAt ??= forward(method, []).then(Number)
    return staleAt
  }
  const answer = async ({ id, method, params }: Call) => {
    counts.set(method, (counts.get(method) ?? 0) + 1)
    try {
      return { jsonrpc: '2.0', id, result: await answerOne(faults, { method, params }, forward, headOf) }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return { jsonrpc: '2.0', id, error: { code: -32_000, message } }
    }
  }
  const server = await startLoopbackServer({
    async answer({ body }): Promise<LoopbackReply> {
      const asked = JSON.parse(body.toString()) as Call | Call[]
      if (faults.isSilent) await new Promise(() => {})
      if (faults.status !== undefined) return { status: faults.status, body: '{"error":"too many requests"}' }
      const reply = Array.isArray(asked) ? await Promise.all(asked.map(answer)) : await answer(asked)
      return { status: 200, body: JSON.stringify(reply) }
    },
  })
  return {
    url: server.url,
    fail(next) {
      faults = next
      staleAt = undefined
    },
    count: (method) => counts.get(method) ?? 0,
    close: server.close,
  }
}

async function answerOne(
  faults: NodeFaults,
  { method, params }: Omit<Call, 'id'>,
  forward: Forward,
  headOf: (method: string) => Promise<number>,
): Promise<unknown> {
  const blind = faults.isBlind ? seesNothing(method) : undefined
  if (blind !== undefined) return blind.result
  switch (method) {
    case 'eth_chainId':
      return faults.chainId === undefined ? forward(method, params) : toHex(faults.chainId)
    case 'getGenesisHash':
      return faults.genesis ?? forward(method, params)
    case 'getSlot':
      return headOf(method)
    case 'eth_blockNumber':
      return toHex(await headOf(method))
    case 'eth_getBlockByNumber': {
      if (params[0] === 'finalized' && faults.hasNoFinalTag) throw new Refusal(NO_TAG)
      // One that stands still has not learnt of any final block since.
      const isOwn = params[0] === 'latest' || (params[0] === 'finalized' && faults.isStale)
      return isOwn
        ? forward(method, [toHex(await headOf('eth_blockNumber')), params[1]])
        : forward(method, params)
    }
    case 'eth_getLogs':
      checkLogs(faults, params[0] as { fromBlock: string; toBlock: string })
      return faults.isPruned ? [] : forward(method, params)
    default:
      return forward(method, params)
  }
}

function seesNothing(method: string): { result: unknown } | undefined {
  if (method === 'eth_call') return { result: UNUSED }
  if (method === 'eth_getTransactionReceipt' || method === 'getTransaction') return { result: null }
  if (method === 'eth_getLogs' || method === 'getSignaturesForAddress') return { result: [] }
  return undefined
}

function checkLogs({ logRangeBlocks }: NodeFaults, filter: { fromBlock: string; toBlock: string }): void {
  const blocks = Number(filter.toBlock) - Number(filter.fromBlock) + 1
  if (logRangeBlocks !== undefined && blocks > logRangeBlocks) throw new Refusal(RANGE_REFUSED)
}

const toHex = (value: number) => `0x${value.toString(16)}`
