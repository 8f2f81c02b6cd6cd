import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPeerOf } from '../../access/client-key.ts'
import { systemClock } from '../../core/time/clock.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { listen } from '../listen.ts'
import { createHttpServer } from '../server.ts'
import { closeIdle } from './idle-connections.ts'
import { oneAtATime } from './one-at-a-time.ts'

let server: Server
let client: Socket
let respond: (request: IncomingMessage, response: ServerResponse) => void
beforeEach(async () => {
  server = createHttpServer({ clock: systemClock, peerOf: createPeerOf([]), countCutOff: () => {} })
  server.on('request', (request, response) => respond(request, response))
  const port = await listen(server, '127.0.0.1', 0)
  client = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
})
afterEach(async () => {
  client.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const SHORTEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const post = (body: string) =>
  `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
const echo = async (request: IncomingMessage, response: ServerResponse) => {
  response.end(await text(request))
}

test('of thousands of requests that came at once only some are read in a turn, and all are answered in order', async () => {
  const COUNT = 2_000
  const inTurns: number[] = []
  let turn: number | undefined
  let asked = 0
  respond = (_, response) => {
    if (turn === undefined) {
      turn = inTurns.push(0) - 1
      setImmediate(() => (turn = undefined))
    }
    inTurns[turn] = (inTurns[turn] ?? 0) + 1
    response.end(`reply ${asked++};`)
  }
  let said = ''
  client.on('data', (chunk) => (said += chunk))
  client.write(SHORTEST.repeat(COUNT))
  await expect.poll(() => said, { timeout: 20_000 }).toContain(`reply ${COUNT - 1};`)
  expect(Math.max(...inTurns)).toBeLessThan(2_048 / SHORTEST.length + 1)
  expect([...said.matchAll(/reply (\d+);/g)].map(([, at]) => Number(at))).toEqual([...Array(COUNT).keys()])
})

test('a long body that is followed at once by the end of the connection comes whole', async () => {
  respond = echo
  const body = 'abcdefgh'.repeat(7_000)
  let said = ''
  client.on('data', (chunk) => (said += chunk))
  client.end(post(body))
  await expect.poll(() => said.endsWith(body), { timeout: 5_000 }).toBe(true)
})

test('bodies that fill many slices come whole, one after the other', async () => {
  respond = echo
  const bodies = [5_000, 2_048, 60_000, 1, 30_000].map((length, at) => String(at).repeat(length))
  let said = ''
  client.on('data', (chunk) => (said += chunk))
  client.write(bodies.map(post).join(''))
  for (const body of bodies) await expect.poll(() => said.includes(`\r\n\r\n${body}`)).toBe(true)
})

test('nothing of a connection that was cut off is read on', async () => {
  let requests = 0
  respond = (request) => {
    requests++
    request.socket.destroy()
  }
  const closed = new Promise((resolve) => client.once('close', resolve))
  client.on('error', () => {})
  client.write(SHORTEST.repeat(2_000))
  client.resume()
  client.once('end', () => client.end())
  await closed
  expect(requests).toBeLessThan(2_048 / SHORTEST.length + 1)
})

/** The second request waits behind the first reply, and the connection is not read meanwhile. */
async function openPaused(firstTakes: Promise<unknown>): Promise<Socket> {
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
  respond = oneAtATime(
    async (request, response) => {
      if (request.url === '/first') await firstTakes
      response.end(`reply to ${request.url};`)
    },
    () => {},
  )
  client.write(`${SHORTEST.replace('/', '/first')}${SHORTEST.replace('/', '/second')}`)
  const socket = await accepted
  await expect.poll(() => socket.isPaused()).toBe(true)
  return socket
}

test('of what comes byte by byte while a connection is not read, one read at most is kept', async () => {
  const socket = await openPaused(new Promise(() => {}))
  client.setNoDelay(true)
  for (let sent = 0; sent < 500; sent++) {
    client.write('a')
    await new Promise(setImmediate)
  }
  await expect.poll(() => client.writableLength).toBe(0)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(socket.readableLength).toBeLessThan(10)
})

test('whoever ends his side after his requests gets all replies', async () => {
  const first = Promise.withResolvers<void>()
  let said = ''
  client.on('data', (chunk) => (said += chunk))
  await openPaused(first.promise)
  client.end(SHORTEST.replace('/', '/third'))
  await new Promise((resolve) => setTimeout(resolve, 50))
  first.resolve()
  await expect
    .poll(() => [...said.matchAll(/to \/(\w+);/g)].map(([, name]) => name))
    .toEqual([...['first', 'second', 'third']])
})

test.each([1, 2, 3, 6])('so does whoever ends it while the first of %i is under way', async (count) => {
  const names = [...Array(count).keys()].map(String)
  let said = ''
  client.on('data', (chunk) => (said += chunk))
  respond = oneAtATime(
    async ({ url }, response) => {
      await new Promise((resolve) => setTimeout(resolve, 40))
      response.end(`reply to ${url};`)
    },
    () => {},
  )
  const over = new Promise((resolve) => client.once('end', resolve))
  client.write(names.map((name) => SHORTEST.replace('/', `/${name}`)).join(''))
  await new Promise((resolve) => setTimeout(resolve, 20))
  client.end()
  await over
  expect([...said.matchAll(/to \/(\w+);/g)].map(([, name]) => name)).toEqual(names)
})

test('and where a request behind the paused one fills a slice', async () => {
  let said = ''
  client.on('data', (chunk) => (said += chunk))
  respond = oneAtATime(
    async (request, response) => {
      await text(request)
      const takesMs = { '/first': 50, '/fifth': 30, '/sixth': 30 }[request.url ?? '']
      if (takesMs) await new Promise((resolve) => setTimeout(resolve, takesMs))
      response.end(`reply to ${request.url};`)
    },
    () => {},
  )
  const over = new Promise((resolve) => client.once('end', resolve))
  const get = (name: string) => SHORTEST.replace('/', `/${name}`)
  client.setNoDelay(true)
  client.write(get('first') + get('second'))
  await new Promise((resolve) => setTimeout(resolve, 15))
  client.end(get('third') + post('b'.repeat(1_990)).replace('/', '/fourth') + get('fifth') + get('sixth'))
  await over
  expect([...said.matchAll(/to \/(\w+);/g)].map(([, name]) => name)).toEqual([
    ...['first', 'second', 'third', 'fourth', 'fifth', 'sixth'],
  ])
})

test('a connection whose next request was read and waits for its turn is not idle', async () => {
  respond = (_, response) => void response.end('served;')
  let said = ''
  client.on('data', (chunk) => (said += chunk))
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
  client.write(SHORTEST)
  await expect.poll(() => said).toContain('served;')
  const socket = await accepted
  const push = socket.push.bind(socket)
  socket.push = (chunk) => {
    const pushed = push(chunk)
    closeIdle(server)
    return pushed
  }
  client.write(SHORTEST.replace('Host: x', `Host: x\r\nX-Payment: ${'p'.repeat(2_500)}`))
  await expect.poll(() => said.match(/served;/g)).toHaveLength(2)
})

test('replies that were made before what cannot be read arrive, however much of that follows', async () => {
  const body = '.'.repeat(70_000)
  respond = oneAtATime(
    (_, response) => void response.end(`${body};`),
    () => {},
  )
  let said = ''
  client.on('data', (chunk) => {
    said += chunk
    client.pause()
    setTimeout(() => client.resume(), 5)
  })
  const over = new Promise((resolve) => client.once('close', resolve))
  client.once('end', () => client.end())
  client.on('error', () => {})
  client.write(`${SHORTEST}${SHORTEST}${'\0garbage'.repeat(37_500)}`)
  await over
  expect([said.match(/\.;/g)?.length, said.includes('HTTP/1.1 400 ')]).toEqual([2, true])
})

test('what comes behind the last word is not given to the parser, whatever the amount', async () => {
  let faults = 0
  server.prependListener('clientError', () => void faults++)
  client.on('error', () => {})
  const closed = new Promise((resolve) => client.once('close', resolve))
  client.resume()
  const garbage = '\0garbage'.repeat(8_000)
  const flood = setInterval(() => client.write(garbage), 5)
  client.write(garbage)
  await closed
  clearInterval(flood)
  expect(faults).toBe(1)
})

test('a request whose second half we did not read in time is served, and one that never comes is refused', async () => {
  const clock = createManualClock(0)
  const own = createHttpServer({ clock, peerOf: createPeerOf([]), countCutOff: () => {} })
  const first = Promise.withResolvers<void>()
  own.on(
    'request',
    oneAtATime(
      async ({ url }, response) => {
        if (url === '/first') await first.promise
        response.end(`reply to ${url};`)
      },
      () => {},
    ),
  )
  const sockets: Socket[] = []
  own.on('connection', (socket) => sockets.push(socket))
  const port = await listen(own, '127.0.0.1', 0)
  const payment = (name: string) =>
    SHORTEST.replace('/', `/${name}`).replace('Host: x', `Host: x\r\nX-Payment: ${'p'.repeat(2_500)}`)
  const ask = async (sent: string) => {
    let said = ''
    const asking = connect(port, '127.0.0.1').on('data', (chunk) => (said += chunk))
    asking.write(sent)
    await expect.poll(() => sockets.at(-1)?.isPaused()).toBe(true)
    const socket = sockets.pop()
    // As Node does after so long, once.
    late(socket)
    return { said: () => said, asking }
  }
  const late = (socket: Socket | undefined) =>
    own.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  const whole = await ask(['first', 'second', 'third'].map(payment).join(''))
  const half = await ask(`${payment('first')}${payment('second')}${payment('third').slice(0, -2)}`)
  clock.advance(5_000)
  expect([whole.said(), half.said()]).toEqual(['', ''])
  first.resolve()
  await expect.poll(whole.said).toContain('to /third;')
  await expect.poll(half.said).toContain('to /second;')
  clock.advance(2_000)
  await expect.poll(half.said).toContain('HTTP/1.1 400 ')
  clock.advance(60_000)
  whole.asking.write(SHORTEST.replace('/', '/fourth'))
  await expect.poll(whole.said).toContain('to /fourth;')
  expect(whole.said()).not.toContain(' 400 ')
  for (const { asking } of [whole, half]) asking.destroy()
  await new Promise((resolve) => own.close(resolve))
})

test('a request of which some was read before the process slept is served', async () => {
  const clock = createManualClock(0)
  const own = createHttpServer({ clock, peerOf: createPeerOf([]), countCutOff: () => {} })
  own.on(
    'request',
    oneAtATime(
      (_, response) => void response.end('served;'),
      () => {},
    ),
  )
  own.on('connection', (socket: Socket) => {
    const push = socket.push.bind(socket)
    socket.push = (chunk) => {
      const pushed = push(chunk)
      // As Node does where so long has passed when it wakes, before the rest is read.
      own.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
      return pushed
    }
  })
  const port = await listen(own, '127.0.0.1', 0)
  let said = ''
  const asking = connect(port, '127.0.0.1').on('data', (chunk) => (said += chunk))
  asking.write(SHORTEST.replace('Host: x', `Host: x\r\nX-Payment: ${'p'.repeat(2_500)}`))
  await expect.poll(() => said).toContain('served;')
  clock.advance(60_000)
  asking.write(SHORTEST)
  await expect.poll(() => said.match(/served;/g)).toHaveLength(2)
  expect(said).not.toContain(' 400 ')
  asking.destroy()
  await new Promise((resolve) => own.close(resolve))
})

test('behind a request that would change the protocol nothing is read', async () => {
  respond = ({ url }, response) => void response.end(`reply to ${url};`)
  let said = ''
  client.on('data', (chunk) => (said += chunk))
  const over = new Promise((resolve) => client.once('end', resolve))
  const first = 'GET /a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
  const next = 'GET /b HTTP/1.1\r\nX: '
  // Where a slice ends in the middle of a value.
  client.write(
    first + next + 'y'.repeat(2_048 - first.length - next.length) + SHORTEST.replace('/', '/hidden'),
  )
  await over
  expect([...said.matchAll(/to \/(\w+);/g)].map(([, name]) => name)).toEqual(['a'])
})
