import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Call = { id: unknown; method: string; params: unknown[] }
export type NodeFault = 'hang' | 'error' | 'html' | 'empty' | undefined

/** A chain node in front of another one, which answers some calls itself and can fail. */
export async function startNodeProxy(target: string, own: Readonly<Record<string, () => unknown>>) {
  let fault: NodeFault
  let changed: Readonly<Record<string, () => unknown>> = {}
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    if (fault === 'hang') return
    if (fault === 'error') return response.writeHead(500).end('{}')
    if (fault === 'html') return response.end('<h1>We will be back soon</h1>')
    if (fault === 'empty') return response.end('{}')
    const asked = JSON.parse(text) as Call | Call[]
    const replies = [asked].flat().flatMap(({ id, method }) => {
      const answer = changed[method] ?? own[method]
      return answer ? { jsonrpc: '2.0', id, result: answer() } : []
    })
    if (replies.length > 0) return response.end(JSON.stringify(Array.isArray(asked) ? replies : replies[0]))
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(target, { method: 'POST', headers, body: text })
    return response.end(await reply.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail: (next: NodeFault) => {
      fault = next
    },
    change: (next: typeof changed) => {
      changed = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
