import {
  type LoopbackReply,
  type LoopbackRequest,
  type LoopbackServer,
  startLoopbackServer,
} from '../loopback-server.ts'
import type { Wallets } from '../wallets.ts'

export type WorldServerInput = {
  port: number
  id: string
  /** Undefined where the chains are somebody else's. */
  wallets: Wallets | undefined
}

/** `GET /` says which run of the sandbox this is, `POST /wallets` hands out play money. */
export function serveWorld({ port, id, wallets }: WorldServerInput): Promise<LoopbackServer> {
  const answer = async ({ method, path, headers }: LoopbackRequest): Promise<LoopbackReply> => {
    if (method === 'GET' && path === '/') return json(200, { id, pid: process.pid })
    if (method !== 'POST' || path !== '/wallets' || !wallets) return json(404, { error: 'not found' })
    // A web page can post forms and plain text to loopback without a CORS preflight, but not JSON.
    if (!headers['content-type']?.startsWith('application/json'))
      return json(415, { error: 'POST application/json' })
    return json(200, await wallets.fresh())
  }
  return startLoopbackServer({ port, isShared: true, answer })
}

const json = (status: number, value: unknown): LoopbackReply => ({ status, body: JSON.stringify(value) })
