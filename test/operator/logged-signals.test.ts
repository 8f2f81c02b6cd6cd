import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { windowAt } from '../../src/core/time/window.ts'
import type { Direction } from '../../src/signals/signal.ts'
import { type OperatorWorld, openOperator } from '../../src/testing/operator/operator-world.ts'

let world: OperatorWorld
beforeAll(async () => {
  world = await openOperator()
})
afterAll(() => world.served.close())
beforeEach(() => world.reset())

const nowS = () => windowAt(world.clock.now()).startS
const log = (signal: object) =>
  world.post('/trade/log-signal', { side: 'UP', confidence: 0.6, price: 100_000, ...signal })
const resolve = (windowStartS: number, outcome: Direction) =>
  world.store.bot.addResolution({
    coin: 'BTC',
    windowStartS,
    conditionId: '0x',
    outcome,
    payoutUpE6: outcome === 'UP' ? 1_000_000n : 0n,
    atMs: 0,
  })

describe('POST /trade/log-signal', () => {
  test('keeps one per window and side, the first', async () => {
    const window_start = nowS()
    const first = await log({ window_start, indicators: { rsi: 70, note: 'x' }, source: 'model-1' })
    expect([first.status, first.json]).toEqual([
      200,
      expect.objectContaining({ window_start, side: 'UP', stored: true, duplicate: false }),
    ])
    expect((await log({ window_start, confidence: 0.9 })).json).toMatchObject({
      stored: false,
      duplicate: true,
    })
    expect((await log({ window_start, side: 'DOWN' })).json).toMatchObject({ stored: true })
    const rows = await world.store.operator.signals(10)
    expect(rows.find(({ side }) => side === 'UP')).toMatchObject({
      confidence: 0.6,
      indicators: '{"rsi":70,"note":"x"}',
      source: 'model-1',
      by: 'environment',
    })
    expect((await world.get('/admin/signals')).json.logged).toHaveLength(2)
  })

  test('two at once are one', async () => {
    const window_start = nowS() - 300
    const replies = await Promise.all(Array.from({ length: 10 }, () => log({ window_start })))
    expect(replies.filter(({ json }) => json.stored)).toHaveLength(1)
  })

  test('the next window can be logged, the one after it cannot', async () => {
    expect((await log({ window_start: nowS() + 300 })).status).toBe(200)
    expect((await log({ window_start: nowS() + 600 })).json).toMatchObject({
      status: 400,
      hint: `the latest that can be logged now is ${nowS() + 300}`,
    })
  })
})

describe('GET /trade/signal-stats', () => {
  test('counts hits of what was said in time and has an outcome, newest first', async () => {
    world.clock.advance(86_400_000)
    const startS = nowS()
    // Forty windows in time: three of four come true. The two newest have no outcome.
    for (let n = 0; n < 40; n++) {
      world.clock.advance(300_000)
      await log({ window_start: nowS(), side: n % 2 ? 'UP' : 'DOWN', confidence: 0.75 })
      const said = n % 2 ? 'UP' : 'DOWN'
      const other = n % 2 ? 'DOWN' : 'UP'
      if (n < 38) await resolve(nowS(), n % 4 === 0 ? other : said)
    }
    await resolve(startS - 3_000, 'UP')
    await log({ window_start: startS - 3_000 })
    const { json } = await world.get('/trade/signal-stats?last=32')
    expect(json.overall).toMatchObject({ count: 32, hits: 24, hit_rate: 0.75, means_little: false })
    expect(json.overall.low).toBeCloseTo(0.5788, 3)
    expect(json.overall.high).toBeCloseTo(0.8675, 3)
    expect(json.overall.brier).toBeCloseTo((24 * 0.0625 + 8 * 0.5625) / 32, 6)
    expect([json.unresolved, json.late, json.note]).toEqual([2, 0, null])
    expect(json.per_side).toMatchObject({
      UP: { count: 16, hits: 16, means_little: true },
      DOWN: { count: 16, hits: 8 },
    })
    expect(json.by_confidence.map(({ count }: { count: number }) => count)).toEqual([0, 0, 0, 0, 32, 0])
    // All of them, with the late one and those of the tests before.
    const all = (await world.get('/trade/signal-stats?last=500')).json
    expect([all.overall.count, all.late]).toEqual([38, 2])
  })

  test('below thirty it says that a rate means little', async () => {
    const { json } = await world.get('/trade/signal-stats?last=29')
    expect([json.overall.count, json.overall.means_little]).toEqual([29, true])
    expect(json.note).toBe('29 resolved signals: below 30 a hit rate means little')
    expect((await world.get('/trade/signal-stats?last=30')).json.note).toBe(null)
  })

  test('without any signal nothing is known', async () => {
    const fresh = await openOperator()
    const { json } = await fresh.get('/trade/signal-stats')
    expect(json).toMatchObject({
      last: 50,
      overall: { count: 0, hit_rate: null, low: 0, high: 1, brier: null },
      note: '0 resolved signals: below 30 a hit rate means little',
    })
    await fresh.served.close()
  })
})

describe('what a key can fill the ledger with', () => {
  test('a window of a day ago can be logged, an older one cannot', async () => {
    const earliest = nowS() - 86_400
    expect((await log({ window_start: earliest - 300 })).json).toMatchObject({
      status: 400,
      detail: `the window ${earliest - 300} is more than a day old`,
      hint: expect.stringContaining(`the earliest that can be logged now is ${earliest}:`),
    })
    expect((await log({ window_start: 0 })).status).toBe(400)
    expect((await log({ window_start: earliest })).status).toBe(200)
  })

  test('indicators have at most 2 KB as JSON', async () => {
    const indicators = { a: 'x'.repeat(2_048 - '{"a":""}'.length) }
    const window_start = nowS() - 3_600
    expect((await log({ window_start, indicators: { a: `${indicators.a}x` } })).status).toBe(422)
    expect((await log({ window_start, indicators })).status).toBe(200)
  })
})
