import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createPeerOf } from '../../access/client-key.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { listen } from '../listen.ts'
import { createHttpServer } from '../server.ts'
import { unread } from './in-slices.ts'
import { oneAtATime } from './one-at-a-time.ts'

/** Of a server whose clock is ours; `late` is what Node says after so long, once. */
async function openLate(begin: (request: IncomingMessage, response: ServerResponse) => void) {
  const clock = createManualClock(0)
  const own = createHttpServer({ clock, peerOf: createPeerOf([]), countCutOff: () => {} })
  const requests: IncomingMessage[] = []
  own.on('request', (request) => requests.push(request))
  own.on(
    'request',
    oneAtATime(begin, () => {}),
  )
  const accepted = new Promise<Socket>((resolve) => own.once('connection', resolve))
  let said = ''
  const asking = connect(await listen(own, '127.0.0.1', 0), '127.0.0.1').on(
    'data',
    (chunk) => (said += chunk),
  )
  const socket = await accepted
  const late = () =>
    own.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  onTestFinished(async () => {
    asking.destroy()
    await new Promise((resolve) => own.close(resolve))
  })
  return { clock, asking, socket, late, requests, said: () => said }
}

test('who completes his head after his time, and never his body, holds no connection', async () => {
  const { clock, asking, late, requests, said } = await openLate(() => {})
  asking.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n')
  await new Promise((resolve) => setTimeout(resolve, 50))
  late()
  asking.write('\r\n{')
  await expect.poll(() => requests.length).toBe(1)
  clock.advance(1_000)
  await expect.poll(said).toContain('HTTP/1.1 400 ')
})

test.each(['GET', 'HEAD'])('a %s whose body comes too slowly gets its reply first', async (method) => {
  const begun: ServerResponse[] = []
  const { clock, asking, late, said } = await openLate((_, response) => void begun.push(response))
  asking.write(`${method} / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`)
  await expect.poll(() => begun.length).toBe(1)
  late()
  clock.advance(2_000)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(said()).toBe('')
  begun[0]?.end('served')
  await expect.poll(said).toContain('HTTP/1.1 400 ')
  expect(said()).toMatch(method === 'GET' ? /^HTTP\/1\.1 200 [\s\S]*served/ : /^HTTP\/1\.1 200 /)
})

const get = (name: string) => `GET /${name} HTTP/1.1\r\nHost: x\r\nX-Payment: ${'p'.repeat(2_500)}\r\n\r\n`
const post = (name: string) => `POST /${name} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345`
const REST = '67890'
const echo = async (request: IncomingMessage, response: ServerResponse) => {
  response.end(`${request.url} said ${request.method === 'POST' ? await text(request) : 'nothing'};`)
}
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 50))

test('a request that lies in the process until others had their turn is not refused', async () => {
  const { clock, asking, socket, late, said } = await openLate(echo)
  asking.write(get('long').slice(0, -2))
  await expect.poll(() => socket.bytesRead).toBeGreaterThan(2_500)
  // As while other connections have theirs.
  unread.add(socket)
  late()
  clock.advance(5_000)
  asking.write('\r\n')
  await expect.poll(said).toContain('/long said nothing;')
  clock.advance(5_000)
  await aMoment()
  expect(said()).not.toContain(' 400 ')
})

test('one that was held up when it became late has time to be read when it is no more', async () => {
  const first = Promise.withResolvers<void>()
  let onSecond = () => {}
  const { clock, asking, socket, late, said } = await openLate(async ({ url }, response) => {
    if (url === '/first') await first.promise
    if (url === '/second') onSecond()
    response.end(`reply to ${url};`)
  })
  asking.write(['first', 'second', 'third'].map(get).join(''))
  await expect.poll(() => socket.isPaused()).toBe(true)
  late()
  onSecond = () => process.nextTick(() => clock.advance(1_000))
  first.resolve()
  await expect.poll(said).toContain('to /third;')
})

test('a body that comes after its reply, and late, is no fault', async () => {
  const { clock, asking, late, said } = await openLate((_, response) => void response.end('early;'))
  asking.write(post('a'))
  await expect.poll(said).toContain('early;')
  late()
  asking.write(REST)
  await aMoment()
  clock.advance(5_000)
  await aMoment()
  expect(said()).not.toContain(' 400 ')
})

test('a request that comes with the rest of such a body keeps its turn', async () => {
  const second = Promise.withResolvers<void>()
  const { asking, said } = await openLate(async ({ url }, response) => {
    if (url === '/second') await second.promise
    response.end(`reply to ${url};`)
  })
  asking.write(post('early'))
  await expect.poll(said).toContain('to /early;')
  asking.write(REST + get('second'))
  await aMoment()
  asking.write('BROKEN\r\n\r\n')
  await aMoment()
  expect(said()).not.toContain(' 400 ')
  second.resolve()
  await expect.poll(said).toContain(' 400 ')
  expect(said()).toMatch(/to \/second;[\s\S]* 400 /)
})

test('a request that was late and came whole is served, and the next one has time of its own', async () => {
  const { clock, asking, late, requests, said } = await openLate(echo)
  asking.write(post('a'))
  await expect.poll(() => requests.length).toBe(1)
  late()
  asking.write(REST)
  await expect.poll(said).toContain('/a said 1234567890;')
  asking.write(post('b'))
  await expect.poll(() => requests.length).toBe(2)
  clock.advance(1_000)
  await aMoment()
  asking.write(REST)
  await expect.poll(said).toContain('/b said 1234567890;')
  expect(said()).not.toContain(' 400 ')
})

test('so is one whose head was late', async () => {
  const { clock, asking, late, requests, said } = await openLate(echo)
  asking.write(post('a').slice(0, 30))
  await aMoment()
  late()
  asking.write(post('a').slice(30) + REST)
  await expect.poll(said).toContain('/a said 1234567890;')
  asking.write(post('b'))
  await expect.poll(() => requests.length).toBe(2)
  clock.advance(1_000)
  await aMoment()
  asking.write(REST)
  await expect.poll(said).toContain('/b said 1234567890;')
})

test('a request that waits and whose body cannot be read never begins', async () => {
  const begun: (string | undefined)[] = []
  const first = Promise.withResolvers<void>()
  const { asking, said } = await openLate(async ({ url }, response) => {
    begun.push(url)
    await first.promise
    response.end('served;')
  })
  asking.write(`${get('a')}GET /b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n`)
  await aMoment()
  first.resolve()
  await expect.poll(said).toContain(' 400 ')
  expect(begun).toEqual(['/a'])
})
