import { type IncomingHttpHeaders, request } from 'node:http'
import type { World } from './world.ts'

export type ClientReply = { status: number; headers: IncomingHttpHeaders; text: string }
export type Client = (
  path: string,
  options?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<ClientReply>

let lastClient = 1

/** A caller with an address of its own: loopback has millions of them. */
export function createClient(
  world: World,
  localAddress = `127.0.${lastClient >> 8}.${++lastClient & 255}`,
): Client {
  return (path, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const call = request(
        `${world.url}${path}`,
        { localAddress, agent: false, method, headers },
        (reply) => {
          let text = ''
          reply.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk
          })
          reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text }))
        },
      )
      call.on('error', reject).end(body)
    })
}
