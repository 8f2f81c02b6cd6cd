import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createPeerOf } from '../../access/client-key.ts'
import { sleep, systemClock } from '../../core/time/clock.ts'
import { oneAtATime } from '../connection/one-at-a-time.ts'
import { listen } from '../listen.ts'
import { createHttpServer } from '../server.ts'
import { dropBody, limitPieces } from './limit-pieces.ts'
import { readBytes } from './read-body.ts'

let server: Server
let port: number
let respond: (request: IncomingMessage, response: ServerResponse) => void
const clients: Socket[] = []
beforeEach(async () => {
  server = createHttpServer({ clock: systemClock, peerOf: createPeerOf([]), countCutOff: () => {} })
  server.on('request', (request, response) => respond(request, response))
  port = await listen(server, '127.0.0.1', 0)
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function open(text: string) {
  const client = connect({ host: '127.0.0.1', port })
  clients.push(client)
  let said = ''
  client.on('error', () => {})
  client.on('data', (chunk) => {
    said += chunk
  })
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
  client.write(text)
  return { client, closed, said: () => said }
}

const head = (method: string) => `${method} / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`
const tiny = (count: number) => '1\r\nx\r\n'.repeat(count)
const END = '0\r\n\r\n'

test.each([
  ['GET', 66],
  ['POST', 4_098],
])(
  'of a %s whose body nobody reads not more than %i pieces are kept, and its connection ends',
  async (method, most) => {
    const begun: ServerResponse[] = []
    respond = (_, response) => void begun.push(response)
    const kept = () => begun[0]?.req.readableLength
    const { closed, said } = open(`${head(method)}${tiny(65_000)}${END}`)
    await expect.poll(kept).toBe(most - 1)
    // As long as its reply takes: it may be charged for.
    await sleep(systemClock, 1_200)
    expect([begun.length, kept()]).toEqual([1, most - 1])
    begun[0]?.end('served')
    await closed
    expect(said()).toContain('served')
  },
)

test('what comes after the reply is for nobody: it is not kept, and cut off where it is too much', async () => {
  let sent: ServerResponse | undefined
  respond = (raw, response) => {
    sent = response
    response.writeHead(200, ['Content-Type', 'text/event-stream'])
    dropBody(raw)
    response.write('event\n\n')
  }
  const stream = open(`${head('GET')}${tiny(60)}`)
  await expect.poll(stream.said).toContain('event')
  stream.client.write(tiny(65_000))
  await sleep(systemClock, 50)
  expect(sent?.req.readableLength).toBe(0)
  sent?.end()
  await stream.closed
})

test('a body that was refused for its length is not read on for ever', async () => {
  respond = (request, response) => {
    readBytes(request, 10).catch(({ message }) => response.writeHead(413).end(message))
  }
  const { client, closed, said } = open(`${head('POST')}b\r\n${'y'.repeat(11)}\r\n`)
  await expect.poll(said).toContain('at most 10 bytes')
  const flood = setInterval(() => client.write(tiny(1_000)), 5)
  await closed
  clearInterval(flood)
})

describe('one request at a time', () => {
  let begun: ServerResponse[]
  beforeEach(() => {
    begun = []
    server.removeAllListeners('request')
    server.on('request', limitPieces)
    server.on(
      'request',
      oneAtATime(
        (_, response) => void begun.push(response),
        () => {},
      ),
    )
  })

  test.each([
    ['expects what nobody knows', 'Host: x\r\nExpect: x\r\n'],
    ['names no host', ''],
  ])('who %s waits for his turn, and his pieces are counted then', async (_, fields) => {
    const { client, closed, said } = open('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => begun.length).toBe(1)
    const flood = `POST / HTTP/1.1\r\n${fields}Transfer-Encoding: chunked\r\n\r\n${tiny(6_000)}${END}`
    client.write(flood.repeat(3))
    await sleep(systemClock, 50)
    expect(begun).toHaveLength(1)
    begun[0]?.end('served')
    await closed
    expect(said()).toContain('served')
    expect(begun).toHaveLength(2)
  })

  test('too many pieces of the next one do not cut a reply that takes long', async () => {
    const { closed, said } = open(`GET / HTTP/1.1\r\nHost: x\r\n\r\n${head('GET')}${tiny(70)}${END}`)
    await expect.poll(() => begun.length).toBe(1)
    await sleep(systemClock, 1_200)
    for (const at of [0, 1]) {
      await expect.poll(() => begun.length).toBe(at + 1)
      begun[at]?.end('served')
    }
    await closed
    expect(said().match(/served/g)).toHaveLength(2)
  })

  test('pieces that come after a reply cut no request that comes behind them', async () => {
    const { client, closed, said } = open(head('GET'))
    await expect.poll(() => begun.length).toBe(1)
    if (begun[0]) dropBody(begun[0].req)
    begun[0]?.end('served')
    await expect.poll(said).toContain('served')
    client.write(`${tiny(70)}${END}GET / HTTP/1.1\r\nHost: x\r\n\r\n`)
    await closed
    expect(begun).toHaveLength(1)
  })
})

test('a connection goes on after a request whose small body nobody read', async () => {
  respond = (request, response) => {
    dropBody(request)
    response.end('served')
  }
  const { client, said } = open(`${head('GET')}${tiny(2)}${END}`)
  await expect.poll(said).toContain('served')
  client.write(`${head('POST')}${tiny(2)}${END}`)
  await expect.poll(() => said().split('served')).toHaveLength(3)
})
