import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen } from '../listen.ts'
import { limitPieces } from './limit-pieces.ts'
import { BODY_LIMIT_BYTES, readBytes } from './read-body.ts'

let server: Server
let port: number
const reads: string[] = []

beforeAll(async () => {
  server = createServer(async (request, response) => {
    limitPieces(request, response)
    const read = await readBytes(request, BODY_LIMIT_BYTES).then(
      (body) => body.toString(),
      ({ code, message }) => `${code}: ${message}`,
    )
    reads.push(read)
    response.end(read)
  })
  port = await listen(server, '127.0.0.1', 0)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Everything that comes back until the connection ends; `more` is sent every millisecond until then. */
async function send(pieces: readonly string[], more = ''): Promise<string> {
  const client = connect({ host: '127.0.0.1', port })
  let reply = ''
  client.on('error', () => {})
  client.on('data', (data) => {
    reply += data
    if (more === '') client.end()
  })
  const chunks = pieces.map((piece) => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`)
  client.write(`POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunks.join('')}`)
  if (more === '') client.write('0\r\n\r\n')
  const flood = setInterval(() => more && client.write(more), 1)
  await new Promise((resolve) => client.once('close', resolve))
  clearInterval(flood)
  return reply.slice(reply.indexOf('\r\n\r\n') + 4)
}

const bytes = (count: number) => Array<string>(count).fill('x')

test('a body is put together from pieces of any size', async () => {
  expect(await send(['a', 'bc'.repeat(3_000), 'd'])).toContain(`a${'bc'.repeat(3_000)}d`)
  expect(await send(['y'.repeat(BODY_LIMIT_BYTES)])).toContain('y'.repeat(BODY_LIMIT_BYTES))
  expect(await send(bytes(4_096))).toContain('x'.repeat(4_096))
})

test('one byte too many is refused, in one piece or several', async () => {
  const refused = 'body_too_large: a body may have at most 65536 bytes'
  expect(await send(['y'.repeat(BODY_LIMIT_BYTES + 1)])).toContain(refused)
  expect(await send(['y'.repeat(BODY_LIMIT_BYTES), 'y'])).toContain(refused)
})

test('a body of many tiny pieces is refused, and nothing more of it is read', async () => {
  const flood = '1\r\n \r\n'.repeat(2_000)
  expect(await send(bytes(10_000), flood)).toContain('at most 4096 pieces: send larger ones')
})

test('a body that ends early is nobody’s fault here', async () => {
  const client = connect({ host: '127.0.0.1', port })
  client.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab')
  await once(server, 'request')
  client.destroy()
  await expect.poll(() => reads.at(-1)).toBe('bad_request: the body ended early')
})
