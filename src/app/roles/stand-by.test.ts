import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../core/time/clock.ts'
import { choosePort } from '../../http/listen.ts'
import type { Leadership } from '../../ledger/postgres/leader/leadership.ts'
import { createKeptLog } from '../../testing/kept-log.ts'
import type { Stops } from '../stops.ts'
import { standBy, ToldToStop } from './stand-by.ts'

const stops: Stops = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** Somebody else leads until `win` is called. */
function createRival() {
  const winning = Promise.withResolvers<true>()
  let isLost = false
  const leadership: Leadership = {
    term: () => undefined,
    won: (withinMs) => (withinMs === undefined ? winning.promise : Promise.resolve(false)),
    lost: new AbortController().signal,
    leader: () => ({ term: 1, holder: 'process 7 on other' }),
    isAnswered: () => !isLost,
    isAwaited: async () => true,
    close: async () => {},
  }
  const lose = () => {
    isLost = true
  }
  return { leadership, win: () => winning.resolve(true), lose }
}

async function scene(told?: AbortSignal) {
  const port = await choosePort('127.0.0.1', 0)
  const { leadership, win, lose } = createRival()
  const log = createKeptLog()
  let warmed = 0
  const warm = async () => void warmed++
  const metrics = { host: '127.0.0.1', port: await choosePort('127.0.0.1', 0), token: undefined }
  const config = { host: '127.0.0.1', mode: 'sandbox', metrics } as const
  const clock = systemClock
  const waiting = standBy({ config, clock, port, log, leadership, told, warm }, stops)
  waiting.catch(() => {})
  const ask = async (path: string, method = 'GET') => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { method })
    return { status: reply.status, headers: reply.headers, text: await reply.text() }
  }
  if (!told?.aborted) await expect.poll(() => ask('/livez').catch(() => undefined)).toBeDefined()
  const scrape = async () => (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text()
  return { waiting, win, lose, ask, scrape, log, warmed: () => warmed }
}

describe('an engine that stands by', () => {
  test('lives, is not ready, refuses everything else, and follows the market', async () => {
    const { ask, log, warmed } = await scene()
    expect((await ask('/livez')).status).toBe(200)
    const ready = await ask('/readyz')
    expect([ready.status, JSON.parse(ready.text)]).toEqual([
      503,
      { status: 'not_ready', reasons: ['standing by: another engine leads'] },
    ])
    const refused = await ask('/trade/buy', 'POST')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    expect(JSON.parse(refused.text)).toMatchObject({ code: 'upstream_unavailable' })
    expect((await ask('/price/BTC', 'HEAD')).text).toBe('')
    expect(log.lines).toMatchObject([{ leader: 'process 7 on other' }])
    expect(warmed()).toBe(1)
  })

  test('does not say that another one leads while the database cannot be asked', async () => {
    const { ask, lose } = await scene()
    lose()
    expect(JSON.parse((await ask('/readyz')).text).reasons).toEqual([
      'standing by: the database cannot be asked who leads',
    ])
  })

  test('says that it starts once it leads, until it leaves its port to the shop', async () => {
    const { waiting, win, ask } = await scene()
    win()
    const vacate = await waiting
    expect(JSON.parse((await ask('/readyz')).text).reasons).toEqual(['starting'])
    await vacate()
    await expect(ask('/livez')).rejects.toThrow()
    // The end of the process calls it once more.
    await vacate()
  })

  test('tells metrics that it is there and not ready, and leaves their port once it leads', async () => {
    const { waiting, win, scrape } = await scene()
    expect(await scrape()).toMatch(/^tollbook_ready 0$/m)
    expect(await scrape()).toMatch(/^tollbook_standing_by 1$/m)
    expect(await scrape()).toMatch(/^tollbook_info\{.*mode="sandbox".*\} 1$/m)
    win()
    await waiting
    await expect(scrape()).rejects.toThrow()
  })

  test('ends when it is told to', async () => {
    const told = new AbortController()
    const { waiting } = await scene(told.signal)
    told.abort()
    await expect(waiting).rejects.toThrow(ToldToStop)
  })

  test('ends when it was told to before it stood by', async () => {
    await expect((await scene(AbortSignal.abort())).waiting).rejects.toThrow(ToldToStop)
  })
})
