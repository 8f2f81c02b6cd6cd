import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { choosePort, listen } from '../../../http/listen.ts'
import { judgeHealth, serviceCheck } from './service.ts'

test('a source that was not asked is neither well nor ill', () => {
  const checks = [
    { name: 'store', status: 'ok', detail: 'answers' },
    { name: 'goplus', status: 'idle', detail: 'not asked yet' },
  ]
  expect(judgeHealth({ status: 'ok', mode: 'paper', checks }, 'http://here', 'paper')).toEqual({
    state: 'ok',
    what: 'runs at http://here, /health says ok; not known, because not asked: goplus',
    next: [],
  })
})

const configAt = (port: number, role: 'engine' | 'api') =>
  ({ dataDir: '/nowhere', host: '127.0.0.1', port, mode: 'paper', role }) as const
const look = (port: number, role: 'engine' | 'api') =>
  serviceCheck(configAt(port, role)).run(AbortSignal.timeout(5_000))

test('an engine that stands by runs and says why it does not serve', async () => {
  const port = await choosePort('127.0.0.1', 0)
  const server = createServer((_, response) => {
    response.writeHead(503)
    response.end(JSON.stringify({ code: 'upstream_unavailable', detail: 'standing by' }))
  })
  await listen(server, '127.0.0.1', port)
  onTestFinished(() => void server.close())
  expect(await look(port, 'engine')).toEqual({
    state: 'ok',
    what: `runs at http://127.0.0.1:${port} and does not serve: standing by`,
    next: [],
  })
})

test('a process that locks no data directory does not run where nobody answers', async () => {
  const port = await choosePort('127.0.0.1', 0)
  expect((await look(port, 'api')).what).toBe(`does not run; 127.0.0.1:${port} is free`)
})
