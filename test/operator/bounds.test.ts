import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { windowAt } from '../../src/core/time/window.ts'
import { heldBy } from '../../src/testing/bot/hand-made-bot.ts'
import { UP_TOKEN } from '../../src/testing/bot/hand-made-orders.ts'
import { type OperatorWorld, openOperator, operatorGroup } from '../../src/testing/operator/operator-world.ts'

let world: OperatorWorld
beforeAll(async () => {
  world = await openOperator()
})
afterAll(() => world.served.close())
beforeEach(() => {
  world.reset()
  world.bot.made.positions = [heldBy(world.clock, { sharesE6: 10n ** 15n })]
})

const long = (length: number) => 'x'.repeat(length)
const ID_64 = `a.B_c:d-${'0'.repeat(56)}`

describe('params in the query', () => {
  test.each([
    ['POST', '/trade/buy?side=YES&size_usd=1', 200],
    ['POST', '/trade/buy?side=YES&size_usd=1.00', 200],
    ['POST', '/trade/buy?side=YES&size_usd=5', 200],
    ['POST', '/trade/buy?side=NO&size_usd=5.0', 200],
    ['POST', '/trade/buy?side=YES&size_usd=0.99', 422],
    ['POST', '/trade/buy?side=YES&size_usd=0.9999999', 422],
    ['POST', '/trade/buy?side=YES&size_usd=5.01', 422],
    ['POST', '/trade/buy?side=YES&size_usd=5.0000001', 422],
    ['POST', '/trade/buy?side=YES&size_usd=2.005', 422],
    ['POST', '/trade/buy?side=YES&size_usd=-1', 422],
    ['POST', '/trade/buy?side=YES&size_usd=NaN', 422],
    ['POST', '/trade/buy?side=YES&size_usd=Infinity', 422],
    ['POST', '/trade/buy?side=YES&size_usd=1e0', 422],
    ['POST', '/trade/buy?side=YES&size_usd=0x2', 422],
    ['POST', '/trade/buy?side=YES&size_usd=', 422],
    ['POST', '/trade/buy?side=YES&size_usd=2&size_usd=3', 422],
    ['POST', '/trade/buy', 422],
    ['POST', '/trade/buy?side=', 422],
    ['POST', '/trade/buy?side=yes', 422],
    ['POST', '/trade/buy?side=UP', 422],
    ['POST', '/trade/buy?side=YES&side=NO', 422],
    ['POST', '/trade/buy?side=YES&side=YES', 422],
    ['POST', `/trade/buy?side=YES&client_order_id=${ID_64}`, 200],
    ['POST', `/trade/buy?side=YES&client_order_id=${ID_64}0`, 422],
    ['POST', '/trade/buy?side=YES&client_order_id=', 422],
    ['POST', '/trade/buy?side=YES&client_order_id=a%20b', 422],
    ['POST', '/trade/buy?side=YES&client_order_id=a%0a', 422],
    ['POST', '/trade/buy?side=YES&client_order_id=%C3%A9', 422],
    ['POST', `/trade/close?token_id=${UP_TOKEN}&shares=0`, 200],
    ['POST', `/trade/close?token_id=${UP_TOKEN}&shares=1000000000`, 200],
    ['POST', `/trade/close?token_id=${UP_TOKEN}&shares=1000000000.01`, 422],
    ['POST', `/trade/close?token_id=${UP_TOKEN}&shares=0.000001`, 200],
    ['POST', `/trade/close?token_id=${UP_TOKEN}&shares=0.0000001`, 422],
    ['POST', `/trade/close?token_id=${UP_TOKEN}&shares=-0.000001`, 422],
    ['POST', `/trade/close?token_id=${UP_TOKEN}&shares=-1`, 422],
    ['POST', `/trade/close?token_id=${UP_TOKEN}&shares=NaN`, 422],
    ['POST', `/trade/close?token_id=${UP_TOKEN}&shares=Infinity`, 422],
    ['POST', `/trade/close?token_id=${UP_TOKEN}&shares=1e308`, 422],
    ['POST', `/trade/close?token_id=${UP_TOKEN}&shares=all`, 422],
    ['POST', `/trade/close?token_id=${UP_TOKEN}&shares=1&shares=2`, 422],
    ['POST', '/trade/close', 422],
    ['POST', '/trade/close?token_id=123456789', 422],
    ['POST', '/trade/close?token_id=1234567890', 404],
    ['POST', `/trade/close?token_id=${'9'.repeat(78)}`, 404],
    ['POST', `/trade/close?token_id=${'9'.repeat(79)}`, 422],
    ['POST', '/trade/close?token_id=12345678901x', 422],
    ['POST', '/trade/close?token_id=0x1234567890', 422],
    ['POST', '/trade/close?token_id=%D9%A1%D9%A2%D9%A3%D9%A4%D9%A5%D9%A6%D9%A7%D9%A8%D9%A9%D9%A0', 422],
    ['GET', '/trade/signal-stats?last=10', 200],
    ['GET', '/trade/signal-stats?last=500', 200],
    ['GET', '/trade/signal-stats?last=9', 422],
    ['GET', '/trade/signal-stats?last=501', 422],
    ['GET', '/trade/signal-stats?last=10.5', 422],
    ['GET', '/trade/signal-stats?last=ten', 422],
    ['GET', '/trade/signal-stats?last=10&last=11', 422],
    ['GET', '/admin/trading/history?limit=1', 200],
    ['GET', '/admin/trading/history?limit=200&offset=0&real_only=true', 200],
    ['GET', '/admin/trading/history?limit=0', 422],
    ['GET', '/admin/trading/history?limit=201', 422],
    ['GET', '/admin/trading/history?limit=1.5', 422],
    ['GET', '/admin/trading/history?offset=-1', 422],
    ['GET', '/admin/trading/history?offset=9007199254740991', 200],
    ['GET', '/admin/trading/history?offset=9999999999999999', 422],
    ['GET', '/admin/trading/history?real_only=false', 200],
    ['GET', '/admin/trading/history?real_only=1', 422],
    ['GET', '/admin/trading/history?real_only=TRUE', 422],
    ['GET', '/admin/trading/history?real_only=true&real_only=false', 422],
  ])('%s %s is %i', async (method, target, expected) => {
    const { status, json } = await world.ask(method, target)
    expect([status, json.detail?.[0]?.loc?.[0]]).toEqual([
      expected,
      expected === 422 ? 'query' : json.detail?.[0]?.loc?.[0],
    ])
    if (expected === 422) expect(world.bot.acts).toEqual([])
  })

  test.each([
    ['POST', '/trade/buy?side=YES&size_us=2', 'size_usd'],
    ['POST', '/trade/close?token_id=1234567890&share=1', 'shares'],
    ['GET', '/admin/trading/history?limt=5', 'limit'],
    ['GET', '/trade/signal-stats?lst=10', 'last'],
  ])('%s %s names the nearest param', async (method, target, nearest) => {
    const { status, json } = await world.ask(method, target)
    expect([status, json.detail[0].msg]).toEqual([422, `is not known here; the nearest is ${nearest}`])
    expect(world.bot.acts).toEqual([])
  })

  test('no operator address takes a param that it does not declare', async () => {
    for (const { method, path } of operatorGroup.endpoints)
      expect([path, (await world.ask(method, `${path}?zzz=1`)).status]).toEqual([path, 422])
    expect([world.bot.acts, world.ran]).toEqual([[], []])
  })
})

const signal = () => ({
  window_start: windowAt(world.clock.now()).startS,
  side: 'UP',
  confidence: 0.6,
  price: 100_000,
})
const order = { side: 'YES', size_usd: 2 }
const entries = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]))

describe('fields of a body', () => {
  test.each([
    ['/trade/log-signal', { confidence: 0 }, 200],
    ['/trade/log-signal', { confidence: 1 }, 200],
    ['/trade/log-signal', { confidence: -0.000001 }, 422],
    ['/trade/log-signal', { confidence: 1.000001 }, 422],
    ['/trade/log-signal', { confidence: '0.5' }, 422],
    ['/trade/log-signal', { confidence: null }, 422],
    ['/trade/log-signal', { price: 1e-9 }, 200],
    ['/trade/log-signal', { price: 1e9 }, 200],
    ['/trade/log-signal', { price: 0 }, 422],
    ['/trade/log-signal', { price: -1 }, 422],
    ['/trade/log-signal', { price: 1e9 + 1 }, 422],
    ['/trade/log-signal', { side: 'up' }, 422],
    ['/trade/log-signal', { side: 'YES' }, 422],
    ['/trade/log-signal', { side: ['UP'] }, 422],
    ['/trade/log-signal', { window_start: 0 }, 400],
    ['/trade/log-signal', { window_start: 300 }, 400],
    ['/trade/log-signal', { window_start: -300 }, 422],
    ['/trade/log-signal', { window_start: 301 }, 422],
    ['/trade/log-signal', { window_start: 300.5 }, 422],
    ['/trade/log-signal', { window_start: '300' }, 422],
    ['/trade/log-signal', { window_start: 1e18 }, 422],
    ['/trade/log-signal', { indicators: {} }, 200],
    ['/trade/log-signal', { indicators: { a: 1, b: 'x', c: true, d: null } }, 200],
    ['/trade/log-signal', { indicators: entries(64) }, 200],
    ['/trade/log-signal', { indicators: entries(65) }, 422],
    ['/trade/log-signal', { indicators: { a: long(2_040) } }, 200],
    ['/trade/log-signal', { indicators: { a: long(2_041) } }, 422],
    ['/trade/log-signal', { indicators: { [long(65)]: 1 } }, 422],
    ['/trade/log-signal', { indicators: { a: { b: 1 } } }, 422],
    ['/trade/log-signal', { indicators: [1] }, 422],
    ['/trade/log-signal', { source: long(64) }, 200],
    ['/trade/log-signal', { source: long(65) }, 422],
    ['/trade/log-signal', { source: '' }, 422],
    ['/trade/log-signal', { source: 'a\nb' }, 422],
    ['/trade/log-signal', { coin: 'BTC' }, 422],
    ['/admin/task', { title: 'x' }, 200],
    ['/admin/task', { title: long(120) }, 200],
    ['/admin/task', { title: long(121) }, 422],
    ['/admin/task', { title: '' }, 422],
    ['/admin/task', { title: '   ' }, 422],
    ['/admin/task', { title: 'a\u0000b' }, 422],
    ['/admin/task', { title: 'x', detail: `${long(998)}\n\t` }, 200],
    ['/admin/task', { title: 'x', detail: long(1_001) }, 422],
    ['/admin/task', { title: 'x', detail: 'a\u001b[31m' }, 422],
    ['/admin/task', { title: 'x', priority: 'high' }, 200],
    ['/admin/task', { title: 'x', priority: 'urgent' }, 422],
    ['/admin/task', { title: 'x', assignee: long(64) }, 200],
    ['/admin/task', { title: 'x', assignee: long(65) }, 422],
    ['/admin/task', { title: 'x', owner: 'me' }, 422],
    ['/admin/task', { title: { length: 5 } }, 422],
    ['/admin/command', { command: 'flush_caches' }, 200],
    ['/admin/command', { command: 'drop_tables' }, 422],
    ['/admin/command', { command: '__proto__' }, 422],
    ['/admin/command', { command: 'constructor' }, 422],
    ['/admin/command', { command: 'flush_caches', force: true }, 422],
    ['/admin/trading/boss-signal', { direction: 'UP' }, 200],
    ['/admin/trading/boss-signal', { direction: 'DOWN', coin: 'eth', reason: long(200) }, 200],
    ['/admin/trading/boss-signal', { direction: 'UP', reason: long(201) }, 422],
    ['/admin/trading/boss-signal', { direction: 'UP', coin: 'DOGE' }, 422],
    ['/admin/trading/boss-signal', { direction: 'SIDEWAYS' }, 422],
    ['/admin/trading/boss-signal', { coin: 'BTC' }, 422],
    ['/admin/trading/buy', { ...order }, 200],
    ['/admin/trading/buy', { ...order, coin: 'XRP', client_order_id: 'a-1' }, 200],
    ['/admin/trading/buy', { ...order, size_usd: 1 }, 200],
    ['/admin/trading/buy', { ...order, size_usd: 5 }, 200],
    ['/admin/trading/buy', { ...order, size_usd: 0.99 }, 422],
    ['/admin/trading/buy', { ...order, size_usd: 5.01 }, 422],
    ['/admin/trading/buy', { ...order, size_usd: 1.001 }, 422],
    ['/admin/trading/buy', { ...order, size_usd: '2' }, 422],
    ['/admin/trading/buy', { ...order, size_usd: null }, 422],
    ['/admin/trading/buy', { side: 'YES' }, 422],
    ['/admin/trading/buy', { ...order, side: 'UP' }, 422],
    ['/admin/trading/buy', { ...order, coin: 'LTC' }, 422],
    ['/admin/trading/buy', { ...order, coin: 'ſol' }, 422],
    ['/admin/trading/buy', { ...order, client_order_id: long(65) }, 422],
    ['/admin/trading/buy', { ...order, sise_usd: 1 }, 422],
  ])('%s %j is %i', async (path, body, expected) => {
    const sent = path === '/trade/log-signal' ? { ...signal(), ...body } : body
    const { status, json } = await world.post(path, sent)
    expect([status, status === 422 ? json.detail[0].loc[0] : 'body']).toEqual([expected, 'body'])
    if (expected === 422) expect(world.bot.acts).toEqual([])
  })

  test.each([
    [{ sim_mode: true }, 200],
    [{ sim_mode: false }, 409],
    [{ sim_mode: 'true' }, 422],
    [{ enabled: false }, 200],
    [{ enabled: 0 }, 422],
    [{ enabled: null }, 422],
    [{ strategy: 'mean_reversion' }, 200],
    [{ strategy: 'martingale' }, 422],
    [{ contrarian: {} }, 200],
    [{ contrarian: { enabled: true } }, 200],
    [{ contrarian: { max_confidence: 0.5 } }, 200],
    [{ contrarian: { max_confidence: 1 } }, 200],
    [{ contrarian: { max_confidence: 0.49 } }, 422],
    [{ contrarian: { max_confidence: 1.01 } }, 422],
    [{ contrarian: { enabeld: true } }, 422],
    [{ contrarian: true }, 422],
    [{ min_confidence: 0.5 }, 200],
    [{ min_confidence: 1 }, 200],
    [{ min_confidence: 0.499999 }, 422],
    [{ min_confidence: 1.000001 }, 422],
    [{ size_usd: 1 }, 200],
    [{ size_usd: 5 }, 200],
    [{ size_usd: 0.99 }, 422],
    [{ size_usd: 5.01 }, 422],
    [{ size_usd: 1.005 }, 422],
    [{ max_trades_per_day: 0 }, 200],
    [{ max_trades_per_day: 1_152 }, 200],
    [{ max_trades_per_day: -1 }, 422],
    [{ max_trades_per_day: 1_153 }, 422],
    [{ max_trades_per_day: 1.5 }, 422],
    [{ max_consecutive_losses: 1 }, 200],
    [{ max_consecutive_losses: 100 }, 200],
    [{ max_consecutive_losses: 0 }, 422],
    [{ max_consecutive_losses: 101 }, 422],
    [{ daily_loss_limit_usd: 0 }, 200],
    [{ daily_loss_limit_usd: 1_000 }, 200],
    [{ daily_loss_limit_usd: 1_000.01 }, 422],
    [{ daily_loss_limit_usd: -0.01 }, 422],
    [{ daily_loss_limit_usd: 0.001 }, 422],
    [{}, 422],
    [{ version: 3 }, 422],
    [{ size_usd: 2, sizeUsd: 5 }, 422],
  ])('/admin/trading/config %j is %i', async (body, expected) => {
    const { status, json } = await world.post('/admin/trading/config', body)
    expect([status, status === 422 ? json.detail[0].loc[0] : 'body']).toEqual([expected, 'body'])
    if (expected === 422) expect(world.bot.acts).toEqual([])
  })
})

const posted = operatorGroup.endpoints.filter(
  (endpoint) => endpoint.kind === 'product' && endpoint.paramsIn === 'body',
)

describe.each(posted.map(({ path }) => path))('the body of POST %s', (path) => {
  const send = (text: string, headers = {}) => world.ask('POST', path, { text, headers })

  test.each([
    ['{', 400],
    ['', 400],
    ['{"a":1,}', 400],
    ['null', 422],
    ['[]', 422],
    ['[{}]', 422],
    ['"text"', 422],
    ['12', 422],
    ['{"__proto__":{"enabled":true}}', 422],
    ['{"constructor":{"prototype":{}}}', 422],
    ['{"toString":1}', 422],
    [`{"a":${'['.repeat(40)}${']'.repeat(40)}}`, 400],
    [`{"a":"${'x'.repeat(70_000)}"}`, 413],
  ])('%.40s is %i', async (text, expected) => {
    expect((await send(text)).status).toBe(expected)
    expect([world.bot.acts, world.ran]).toEqual([[], []])
  })

  test('is JSON, and says so', async () => {
    expect((await send('{}', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await send('{}', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415)
  })

  test('is not taken from the query', async () => {
    expect((await world.ask('POST', `${path}?title=x`, { text: '{"title":"x"}' })).status).toBe(422)
  })
})
