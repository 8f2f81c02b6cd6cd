import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listen } from '../listen.ts'
import { drain, retireConnections } from './drain.ts'

/** A service that answers when told to, and somebody who keeps connections open as a reverse proxy does. */
async function open() {
  const waiting: (() => void)[] = []
  const server = createServer((_, response) => void waiting.push(() => response.end('done')))
  const port = await listen(server, '127.0.0.1', 0)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => {
    agent.destroy()
    server.closeAllConnections()
    server.close()
  })
  const ask = () =>
    new Promise<string | undefined>((resolve, reject) => {
      const asked = request({ port, agent, host: '127.0.0.1' }, (reply) => {
        reply.resume().on('end', () => resolve(reply.headers.connection))
      })
      asked.on('error', reject).end()
    })
  const answer = async () => {
    await expect.poll(() => waiting.length).toBeGreaterThan(0)
    waiting.shift()?.()
  }
  return { server, ask, answer }
}

test('a process that retires ends each connection with its reply, and takes new ones', async () => {
  const { server, ask, answer } = await open()
  const first = ask()
  await answer()
  expect(await first).toBe('keep-alive')
  retireConnections(server)
  for (let n = 0; n < 2; n++) {
    const next = ask()
    await answer()
    expect(await next).toBe('close')
  }
})

test('a connection that was busy when the process closed ends soon after its reply', async () => {
  const { server, ask, answer } = await open()
  const busy = ask()
  await expect.poll(() => server.listening).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, 50))
  const startedMs = performance.now()
  const drained = drain(server)
  await answer()
  await busy
  await drained
  expect(performance.now() - startedMs).toBeLessThan(2_000)
})

/** Sends a request each time it is told to, and says how that ended. */
const CALLER = `
  const { parentPort, workerData: { port, sent } } = require('node:worker_threads')
  parentPort.on('message', () => {
    let reply = 'lost'
    const socket = require('node:net').connect(port, '127.0.0.1', () =>
      socket.write('POST / HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 0\\r\\n\\r\\n', () => {
        Atomics.add(sent, 0, 1)
        Atomics.notify(sent, 0)
      }))
    socket.on('data', () => { reply = 'served' })
    socket.on('error', () => {}).on('close', () => parentPort.postMessage(reply))
  })`

test('whoever comes in a long turn of the loop is served before the port closes', async () => {
  const server = createServer((_, response) => void response.end('done'))
  const port = await listen(server, '127.0.0.1', 0)
  const sent = new Int32Array(new SharedArrayBuffer(4))
  const caller = new Worker(CALLER, { eval: true, workerData: { port, sent } })
  onTestFinished(async () => void (await caller.terminate()))
  const replies: string[] = []
  caller.on('message', (reply) => replies.push(reply))
  await once(caller, 'online')
  const drained = drain(server)
  // Each request comes between the loop's look at the port and the end of that turn.
  for (let calls = 0; calls < 10; calls++) {
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    caller.postMessage('')
    expect(Atomics.wait(sent, 0, calls, 5_000)).not.toBe('timed-out')
    expect(server.listening).toBe(true)
  }
  await drained
  await expect.poll(() => replies).toEqual(Array(10).fill('served'))
})

test('a loop that is never idle still closes its port', async () => {
  const server = createServer((_, response) => void response.end('done'))
  await listen(server, '127.0.0.1', 0)
  let isOver = false
  const work = () => {
    const untilMs = performance.now() + 1
    while (performance.now() < untilMs);
    if (!isOver) setImmediate(work)
  }
  work()
  const startedMs = performance.now()
  await drain(server)
  isOver = true
  expect(server.listening).toBe(false)
  expect(performance.now() - startedMs).toBeGreaterThan(4_900)
})

/** A request is under way, and so long ago the process was told to end. */
async function drainBusy(ms: number) {
  const { server, ask, answer } = await open()
  const arrived = once(server, 'request')
  const busy = ask()
  await arrived
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const drained = drain(server)
  // `expect.poll` would move the timers on.
  while (server.listening) await new Promise(setImmediate)
  vi.advanceTimersByTime(ms)
  return { busy, answer, drained }
}

test('a request that takes as long as a slow sale is served while the process closes', async () => {
  const { busy, answer, drained } = await drainBusy(29_999)
  await answer()
  await busy
  await drained
})

test('a request that takes longer is cut', async () => {
  const { busy, drained } = await drainBusy(30_000)
  await expect(busy).rejects.toThrow('socket hang up')
  await drained
})
