import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createPeerOf } from '../../access/client-key.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { listen } from '../listen.ts'
import { createHttpServer } from '../server.ts'

const clock = createManualClock(Date.parse('2026-01-05T12:00:00.000Z'))
let server: Server
let port: number
const clients: Socket[] = []
beforeEach(async () => {
  server = createHttpServer({ clock, peerOf: createPeerOf([]), countCutOff: () => {} })
  server.on('request', (request, response) => request.resume().once('end', () => response.end('served')))
  port = await listen(server, '127.0.0.1', 0)
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** Keeps its own side open whatever it is told. */
async function open(text: string) {
  const accepted = once(server, 'connection')
  const client = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
  clients.push(client)
  client.on('error', () => {})
  let said = ''
  client.on('data', (chunk) => {
    said += chunk
  })
  const [socket] = (await accepted) as [Socket]
  client.write(text)
  return { ended: once(client, 'end'), closed: once(socket, 'close'), said: () => said }
}
const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\n'

test('a client that never closes its side is cut off after what cannot be read', async () => {
  const { ended, closed, said } = await open('garbage\r\n\r\n')
  await ended
  expect(said()).toMatch(/^HTTP\/1\.1 400 /)
  clock.advance(1_000)
  await closed
})

test('nobody holds a connection by sending nothing, half a head or half a body', async () => {
  const slow = [await open(''), await open(HEAD), await open(`${HEAD}Content-Length: 10\r\n\r\nhalf`)]
  // By the time of the machine; ours is the one that looks again.
  const ticking = setInterval(() => clock.advance(100), 100)
  onTestFinished(() => clearInterval(ticking))
  for (const { ended, closed, said } of slow) {
    await ended
    expect(said()).toMatch(/^HTTP\/1\.1 400 /)
    await closed
  }
}, 60_000)

test('a flood of headers is refused before it is all read', async () => {
  const { ended, closed, said } = await open(`${HEAD}${'A: b\r\n'.repeat(5_000)}\r\n`)
  await ended
  expect(said()).toMatch(/^HTTP\/1\.1 431 /)
  clock.advance(1_000)
  await closed
})
