import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPeerOf } from '../../access/client-key.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { listen } from '../listen.ts'
import { limitConnections } from './connection-limits.ts'
import { drain } from './drain.ts'

/** More than a system takes for somebody who does not read: the rest waits in this process. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x')
/** The third connection makes it crowded. */
const LIMITS = { client: 3, network: 3, all: 3 }
const clock = createManualClock(Date.parse('2026-01-05T12:00:00.000Z'))
let server: Server
let port: number
const clients: Socket[] = []

beforeEach(async () => {
  server = createServer((request, response) => response.end(request.url === '/large' ? LARGE : 'served'))
  // Nobody is closed for having been quiet, however slow the machine is.
  server.keepAliveTimeout = 60_000
  limitConnections(server, { clock, peerOf: createPeerOf([]), countCutOff: () => {} }, LIMITS)
  port = await listen(server, '127.0.0.1', 0)
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function open(): { client: Socket; closed: Promise<void> } {
  const client = connect({ host: '127.0.0.1', port })
  clients.push(client)
  client.on('error', () => {})
  return { client, closed: new Promise((resolve) => client.once('close', () => resolve())) }
}
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`

/** One that has its reply. */
async function openIdle() {
  const { client, closed } = open()
  client.write(get('/'))
  await once(client, 'data')
  return { client, closed }
}

/** One that has asked for much, and reads nothing until it is told to. Resolves when the reply is made. */
async function openSlow(more = '') {
  const { client, closed } = open()
  client.pause()
  const asked = once(server, 'request')
  client.write(get('/large', more))
  const [, response] = (await asked) as [IncomingMessage, ServerResponse]
  return {
    client,
    closed,
    left: once(response, 'close'),
    async readAll() {
      let body = 0
      client.on('data', (chunk) => {
        const end = body === 0 ? chunk.indexOf('\r\n\r\n') + 4 : 0
        body += chunk.length - end
        if (body === LARGE.length) client.end()
      })
      client.resume()
      await closed
      return body
    },
  }
}

test.each([
  ['is kept open', ''],
  ['ends with it', 'Connection: close\r\n'],
])(
  'a process that drains closes who is idle, not who still reads on a connection that %s',
  async (_, more) => {
    const idle = await openIdle()
    const slow = await openSlow(more)
    const drained = drain(server)
    await idle.closed
    expect(await slow.readAll()).toBe(LARGE.length)
    await drained
  },
)

test('who is idle makes room, not who still reads', async () => {
  const idle = await openIdle()
  const slow = await openSlow()
  await openIdle()
  await idle.closed
  expect(await slow.readAll()).toBe(LARGE.length)
})

test('who has sent half of the next head is not idle, and who has taken a slow reply is', async () => {
  const half = await openIdle()
  half.client.write('GET / HTTP/1.1\r\n')
  const slow = await openSlow()
  slow.client.resume()
  await slow.left
  await openIdle()
  await slow.closed
  half.client.write('Host: x\r\n\r\n')
  const [reply] = await once(half.client, 'data')
  expect(String(reply)).toMatch(/^HTTP\/1\.1 200 /)
})
