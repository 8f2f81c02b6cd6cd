import { afterEach, expect, test } from 'vitest'
import { secret } from '../../core/secret.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { drain } from '../../http/connection/drain.ts'
import { listen } from '../../http/listen.ts'
import { gauge, sample } from './family.ts'
import { createScrape } from './scrape.ts'
import { createMetricsServer, metricsAside } from './serve-metrics.ts'

const TOKEN = 'a-token-for-the-metrics'
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function serve(token?: string) {
  let refused = 0
  const rendered = async () => ({ text: 'one 1\n', contentType: 'text/plain; version=0.0.4' })
  const server = createMetricsServer(
    metricsAside(rendered, token ? secret(token) : undefined, () => refused++),
  )
  const port = await listen(server, '127.0.0.1', 0)
  closing.push(() => drain(server))
  const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
  return { ask, refused: () => refused }
}

test('a port of its own serves the metrics and nothing else', async () => {
  const { ask } = await serve()
  const reply = await ask('/metrics')
  expect([reply.status, await reply.text(), reply.headers.get('content-type')]).toEqual([
    200,
    'one 1\n',
    'text/plain; version=0.0.4',
  ])
  expect((await ask('/price/BTC')).status).toBe(404)
  expect((await ask('/metrics', { method: 'POST', body: 'x' })).status).toBe(405)
})

test('where a token is set, only the whole token opens', async () => {
  const { ask, refused } = await serve(TOKEN)
  const statusWith = async (authorization?: string) =>
    (await ask('/metrics', { headers: authorization === undefined ? {} : { authorization } })).status
  for (const wrong of [
    undefined,
    TOKEN,
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    'Bearer ',
    `Basic ${TOKEN}`,
  ])
    expect([wrong, await statusWith(wrong)]).toEqual([wrong, 401])
  expect(refused()).toBe(6)
  // Whoever is refused keeps none of the few places.
  expect((await ask('/metrics')).headers.get('connection')).toBe('close')
  expect(await statusWith(`Bearer ${TOKEN}`)).toBe(200)
})

test('a part that fails or hangs is left out and counted, and the rest is told', async () => {
  const clock = createManualClock(0)
  const scrape = await createScrape({
    clock,
    asked: {
      good: async () => 7,
      bad: () => Promise.reject<number>(new Error('no ledger')),
      hung: () => new Promise<number>(() => {}),
    },
    families: (answered) => [
      gauge('t_good', 'good', () => sample(answered().good)),
      gauge('t_bad', 'bad', () => sample(answered().bad)),
      gauge('t_hung', 'hung', () => sample(answered().hung)),
      gauge('t_throws', 'throws', () => {
        throw new Error('bug')
      }),
    ],
  })
  const both = Promise.all([scrape(), scrape()])
  clock.advance(3_000)
  const [{ text }, again] = await both
  expect(again.text).toBe(text)
  expect(text).toContain('\nt_good 7\n')
  expect(text).not.toMatch(/^t_(bad|hung|throws)/m)
  for (const part of ['bad', 'hung', 't_throws'])
    expect(text).toContain(`tollbook_scrape_faults_total{part="${part}"} 1\n`)
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m)
})
