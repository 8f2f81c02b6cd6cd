import { Agent, get } from 'node:http'

export type Place = { host: string; port: number }
/** `ending` is the status, with the cause where it failed; or the name of the fault where no reply came. */
export type Asked = { ending: string; isSold: boolean; ms: number }
export type Ask = {
  (path: string, client: string, payment?: string): Promise<Asked>
  close(): void
}

const MAX_SOCKETS = 1_000
/** Longer than the service lets anybody wait. */
const LIMIT_MS = 40_000

/** Requests in the name of a client behind a proxy that the service trusts. */
export function createAsk({ host, port }: Place): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS })
  const ask = (path: string, client: string, payment?: string) => {
    const startedMs = performance.now()
    const headers = { 'X-Forwarded-For': client, ...(payment && { 'PAYMENT-SIGNATURE': payment }) }
    return new Promise<Asked>((resolve) => {
      const end = (ending: string) =>
        resolve({ ending, isSold: ending === '200', ms: performance.now() - startedMs })
      const request = get({ host, port, path, headers, agent, timeout: LIMIT_MS }, (reply) => {
        const chunks: Buffer[] = []
        reply
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .once('end', () => end(describe(reply.statusCode ?? 0, Buffer.concat(chunks))))
      })
      request
        .once('timeout', () => request.destroy(new Error('no reply in time')))
        .once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
    })
  }
  return Object.assign(ask, { close: () => agent.destroy() })
}

/** One code has several causes: the words before the first semicolon tell them apart. */
function describe(status: number, body: Buffer): string {
  if (status < 400 || status === 402) return String(status)
  const { code, detail } = JSON.parse(body.toString()) as { code?: string; detail?: string }
  return `${status} ${code} (${String(detail).split(';')[0]})`
}
