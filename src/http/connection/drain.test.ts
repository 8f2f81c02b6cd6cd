import { Agent, createServer, request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../server.ts'
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
