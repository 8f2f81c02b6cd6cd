import { once } from 'node:events'
import { afterEach, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createPeers, MAX_UNSENT_BYTES, type Peer, type Peers, type Tamper } from './peers.ts'

const open: { close(): void }[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.close()
})

async function pair(tamper?: Tamper): Promise<{ peers: Peers; peer: Peer; client: WebSocket }> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  open.push(server)
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no address')
  const client = new WebSocket(`ws://127.0.0.1:${address.port}`)
  const [[socket]] = await Promise.all([once(server, 'connection'), once(client, 'open')])
  const peers = createPeers(tamper)
  return { peers, peer: peers.add('binance', socket), client }
}

it('waits until a client has read everything', async () => {
  const { peers, peer, client } = await pair()
  let heard = 0
  client.on('message', () => heard++)
  for (let i = 0; i < 5_000; i++) peer.send('x', `message ${i} ${'x'.repeat(500)}`)
  await peers.drained()
  expect(heard).toBe(5_000)
  client.close()
})

it('does not wait for a client that left', async () => {
  const { peers, client } = await pair()
  const waiting = peers.drained()
  client.terminate()
  await waiting
  await peers.drained()
  expect(peers.count).toBe(0)
})

it('disconnects a client that does not read', async () => {
  const { peer, client } = await pair()
  client.pause()
  let isGone = false
  peer.onGone(() => {
    isGone = true
  })
  const text = 'x'.repeat(1024 * 1024)
  const enough = (3 * MAX_UNSENT_BYTES) / text.length
  for (let i = 0; i < enough && !isGone; i++) {
    peer.send('x', text)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(isGone).toBe(true)
})

it('hands every message to `tamper` with its venue and stream', async () => {
  const seen: unknown[] = []
  const { peers, peer, client } = await pair((wire) => {
    seen.push(wire)
    return wire.text === 'drop' ? [] : [wire.text, 'more']
  })
  const heard: string[] = []
  client.on('message', (data) => heard.push(data.toString()))
  peer.send('a', 'keep')
  peer.send('b', 'drop')
  await peers.drained()
  expect(heard).toEqual(['keep', 'more'])
  expect(seen).toEqual([
    { venue: 'binance', stream: 'a', text: 'keep' },
    { venue: 'binance', stream: 'b', text: 'drop' },
  ])
  client.close()
})
