import { sleep, systemClock } from '../../src/core/time/clock.ts'
import {
  type LoopbackReply,
  type LoopbackServer,
  startLoopbackServer,
} from '../../src/sandbox/loopback-server.ts'
import type { Seeded } from '../../src/testing/seeded.ts'
import type { NodeFaults } from './node-faults.ts'

type Call = { id: unknown; method: string; params: readonly unknown[] }
type Reply = { id: unknown; result?: unknown }

/** Longer than the service waits for a node. */
const HANG_MS = 8_000
const LIMITED: LoopbackReply = {
  status: 429,
  headers: { 'retry-after': '1' },
  body: '{"error":"too many calls"}',
}

/** Between the service and a chain: it turns away, hangs, cuts the line, and shows an old head. */
export function startNodeProxy(target: string, faults: NodeFaults, seeded: Seeded): Promise<LoopbackServer> {
  const heads = new Map<string, unknown>()
  const forward = async (body: Buffer, isLagging: boolean): Promise<LoopbackReply> => {
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(target, { method: 'POST', headers, body: new Uint8Array(body) })
    const text = await reply.text()
    const request: unknown = JSON.parse(body.toString())
    const answer: unknown = JSON.parse(text)
    const calls = (Array.isArray(request) ? request : [request]) as Call[]
    const replies = (Array.isArray(answer) ? answer : [answer]) as Reply[]
    for (const call of calls) {
      const own = replies.find(({ id }) => id === call.id)
      if (own && isHead(call)) showHead(heads, own, call, isLagging)
    }
    return { status: reply.status, body: JSON.stringify(answer) }
  }
  return startLoopbackServer({
    async answer({ body }) {
      const fault = faults.choose(seeded)
      if (fault === 'limited') return LIMITED
      if (fault === 'cut') return undefined
      if (fault === 'hang') await sleep(systemClock, HANG_MS)
      if (fault === 'slow') await sleep(systemClock, seeded.between(50, 1_000))
      return forward(body, fault === 'lag')
    },
  })
}

const HEADS = ['eth_blockNumber', 'getSlot', 'getBlockHeight']
const isHead = ({ method, params }: Call) =>
  HEADS.includes(method) || (method === 'eth_getBlockByNumber' && params[0] === 'latest')

/** While it lags, the head that it showed last before. */
function showHead(heads: Map<string, unknown>, reply: Reply, { method }: Call, isLagging: boolean): void {
  if (!isLagging) heads.set(method, reply.result)
  else if (heads.has(method)) reply.result = heads.get(method)
}
