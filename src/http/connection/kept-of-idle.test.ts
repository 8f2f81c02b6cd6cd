import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, test } from 'vitest'
import { createPeerOf } from '../../access/client-key.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { listen } from '../listen.ts'
import { limitConnections } from './connection-limits.ts'
import { oneAtATime } from './one-at-a-time.ts'

const clock = createManualClock(Date.parse('2026-01-05T12:00:00.000Z'))
const LIMITS = { client: 3, network: 3, all: 3 }
let server: Server
let client: Socket

afterEach(async () => {
  client.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test.each([1, 3])(
  'an idle connection keeps nothing of what it was asked: requests sent at once: %i',
  async (count) => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const kept: WeakRef<object>[] = []
    server = createServer()
    limitConnections(server, { clock, peerOf: createPeerOf([]), countCutOff: () => {} }, LIMITS)
    server.on(
      'request',
      oneAtATime(
        (request, response) => {
          kept.push(new WeakRef(request), new WeakRef(response))
          setImmediate(() => response.end('served'))
        },
        () => {},
      ),
    )
    const port = await listen(server, '127.0.0.1', 0)
    client = connect({ host: '127.0.0.1', port })
    let replies = ''
    client.on('data', (chunk) => {
      replies += chunk
    })
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count))
    while (replies.split('served').length <= count) await once(client, 'data')
    await expect
      .poll(async () => {
        await delay(10)
        collect()
        return kept.filter((each) => each.deref()).length
      })
      .toBe(0)
    expect(kept).toHaveLength(2 * count)
    expect(client.destroyed).toBe(false)
  },
)
