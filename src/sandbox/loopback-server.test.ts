import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type Answer, type LoopbackServer, startLoopbackServer } from './loopback-server.ts'

const LIMIT_BYTES = 1_000
const open: LoopbackServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

async function serve(answer: Answer): Promise<LoopbackServer> {
  const server = await startLoopbackServer({ answer, maxBodyBytes: LIMIT_BYTES })
  open.push(server)
  return server
}

/** What was asked, as the server understood it. */
const echo: Answer = ({ method, path, query, headers, body }) => ({
  status: 200,
  body: JSON.stringify({
    method,
    path,
    query: [...query],
    key: headers['x-key'],
    body: body.toString('hex'),
  }),
})

/** Writes raw bytes and resolves with all that came back once the server has closed the connection. */
function exchange({ host }: LoopbackServer, text: string): Promise<string> {
  const port = Number(host.split(':')[1])
  return new Promise((resolve) => {
    let heard = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
    socket.on('data', (bytes) => {
      heard += bytes.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(heard))
  })
}

describe('a request', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('of %s arrives whole', async (method) => {
    const { url } = await serve(echo)
    const body = Buffer.from([0, 0xff, 0x7b, 0x0a])
    const response = await fetch(`${url}/a/b?x=1&x=2`, { method, body, headers: { 'x-key': 'k' } })
    const query = [
      ['x', '1'],
      ['x', '2'],
    ]
    expect(await response.json()).toEqual({ method, path: '/a/b', query, key: 'k', body: '00ff7b0a' })
  })

  test('of GET has an empty body', async () => {
    const { url } = await serve(echo)
    expect(await (await fetch(`${url}/`)).json()).toMatchObject({ method: 'GET', body: '' })
  })
})

describe('a reply', () => {
  test('carries its status, its headers and its bytes', async () => {
    const bytes = Uint8Array.from([0x47, 0x49, 0x46, 0, 0xff])
    const { url } = await serve(() => ({
      status: 202,
      headers: { 'content-type': 'image/gif' },
      body: bytes,
    }))
    const response = await fetch(url)
    expect([response.status, response.headers.get('content-type')]).toEqual([202, 'image/gif'])
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
  })

  test('is JSON unless it says otherwise', async () => {
    const { url } = await serve(async () => ({ status: 200, body: '{}' }))
    expect((await fetch(url)).headers.get('content-type')).toBe('application/json')
  })

  test('of nothing closes the connection', async () => {
    const { url } = await serve(() => undefined)
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })

  test('that fails is a 500, and the next one is answered', async () => {
    const { url } = await serve(({ path }) => {
      if (path === '/bad') throw new Error('broken')
      return { status: 200, body: '{}' }
    })
    const failed = await fetch(`${url}/bad`)
    expect([failed.status, await failed.json()]).toEqual([500, { error: 'Error: broken' }])
    expect((await fetch(`${url}/good`)).status).toBe(200)
  })
})

describe('a body', () => {
  test('may be as long as the limit and no longer', async () => {
    const { url } = await serve(echo)
    const post = async (bytes: number) => {
      const response = await fetch(url, { method: 'POST', body: 'x'.repeat(bytes) })
      return response.status
    }
    expect([await post(LIMIT_BYTES), await post(LIMIT_BYTES + 1), await post(100_000)]).toEqual([
      200, 413, 413,
    ])
  })

  test('that announces too much is refused before it is sent', async () => {
    const server = await serve(echo)
    const heard = await exchange(server, 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1001\r\n\r\n')
    expect(heard).toMatch(/^HTTP\/1.1 413 /)
  })

  test('in chunks without a length is refused once it is too long', async () => {
    const server = await serve(echo)
    const head = 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n'
    const chunk = `1f4\r\n${'x'.repeat(500)}\r\n`
    const heard = await exchange(server, head + chunk.repeat(3))
    expect(heard).toMatch(/^HTTP\/1.1 413 /)
  })

  test('that breaks off is not answered, and the server lives on', async () => {
    let asked = 0
    const server = await serve((request) => {
      asked++
      return echo(request)
    })
    await new Promise<void>((resolve) => {
      const socket = connect(Number(server.host.split(':')[1]), '127.0.0.1', () => {
        socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf', () => socket.destroy())
      })
      socket.on('close', () => resolve())
    })
    expect((await fetch(server.url)).status).toBe(200)
    expect(asked).toBe(1)
  })
})
