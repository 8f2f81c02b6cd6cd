import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createPeerOf } from '../../access/client-key.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { CONNECTION_LIMITS, limitConnections } from './connection-limits.ts'

const LIMITS = { client: 2, network: 3, all: 10 }
const clock = createManualClock(Date.parse('2026-01-05T12:00:00.000Z'))
let server: Server
let counted: string[]
const clients: Socket[] = []

async function serve(limits = LIMITS, proxies: string[] = []) {
  const countCutOff = (why: string) => void counted.push(why)
  limitConnections(server, { clock, peerOf: createPeerOf(proxies), countCutOff }, limits)
  server.on('request', (_, response) => response.end('served'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}
beforeEach(() => {
  server = createServer()
  counted = []
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** Resolves to the status line, or to nothing where the connection is closed without a word. */
async function ask(localAddress: string, more = ''): Promise<{ status: string; client: Socket }> {
  const { port } = server.address() as AddressInfo
  const client = connect({ host: '127.0.0.1', port, localAddress })
  clients.push(client)
  client.on('error', () => {})
  client.write(`GET / HTTP/1.1\r\nHost: x\r\n${more}\r\n`)
  const status = await new Promise<string>((resolve) => {
    client.once('data', (said) => resolve(said.toString().split('\r\n', 1)[0] ?? ''))
    client.once('close', () => resolve(''))
  })
  return { status, client }
}
const SERVED = 'HTTP/1.1 200 OK'
const isServed = async (localAddress: string) => (await ask(localAddress)).status === SERVED

describe('connections', () => {
  test('of one client have a limit, and are free again when they end', async () => {
    await serve()
    const { client } = await ask('127.0.0.1')
    expect(await isServed('127.0.0.1')).toBe(true)
    expect(await isServed('127.0.0.1')).toBe(false)
    expect(counted).toEqual(['client_limit'])
    expect(await isServed('127.0.1.1')).toBe(true)
    const freed = new Promise<void>((resolve) => {
      const left = () => server.getConnections((_, open) => (open === 2 ? resolve() : setImmediate(left)))
      left()
    })
    client.destroy()
    await freed
    expect(await isServed('127.0.0.1')).toBe(true)
  })

  test('of one network have a limit too', async () => {
    await serve()
    const served = []
    for (const address of ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.1.1'])
      served.push(await isServed(address))
    expect(served).toEqual([true, true, true, false, true])
    expect(counted).toEqual(['network_limit'])
  })

  test('that a trusted proxy brings are limited in total only', async () => {
    await serve({ ...LIMITS, all: 100 }, ['127.0.0.1'])
    for (let n = 0; n < 20; n++) expect(await isServed('127.0.0.1')).toBe(true)
    expect(counted).toEqual([])
  })

  test('that are idle make room when nearly all places are taken', async () => {
    await serve()
    for (let n = 0; n < 30; n++) {
      expect(await isServed(`127.0.${n}.1`)).toBe(true)
      clock.advance(1_000)
    }
    expect(counted).toEqual([])
  })

  test('beyond the total are closed, and counted', async () => {
    await serve({ ...LIMITS, all: 3 })
    server.removeAllListeners('request')
    let begun = 0
    const all = new Promise<void>((resolve) => server.on('request', () => void (++begun === 3 && resolve())))
    for (let n = 0; n < 3; n++) void ask(`127.0.${n}.1`)
    await all
    expect((await ask('127.0.9.1')).status).toBe('')
    expect(counted).toEqual(['total_limit'])
  })
})

test('ten networks, not one, fill the service', () => {
  const { client, network, all } = CONNECTION_LIMITS
  expect([all / network > 9, network / client]).toEqual([true, 4])
})
