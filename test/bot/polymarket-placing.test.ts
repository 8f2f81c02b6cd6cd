import { expect, test } from 'vitest'
import { createPlacing } from '../../src/bot/brokers/polymarket/placing.ts'
import type { Clock } from '../../src/core/time/clock.ts'
import { plannedOrder } from '../../src/testing/bot/planned-order.ts'
import { createKeptLog } from '../../src/testing/kept-log.ts'
import {
  orderRow,
  type Script,
  say,
  startScriptedClob,
  tradeRow,
} from '../../src/testing/prediction/scripted-clob.ts'
import type { Placement } from '../../src/upstreams/polymarket/trading/trading.ts'

const CREATED_MS = Date.UTC(2026, 0, 5, 12)
const order = plannedOrder({ createdMs: CREATED_MS })
const NO_TRADES = { data: [], next_cursor: 'LTE=' }
const accepted = (orderID: string, status = 'delayed') =>
  say(200, { success: true, orderID, status, takingAmount: '', makingAmount: '' })

/** A venue of its own answers, and the placing of a process that started a second before the order was planned. */
async function openPlacing(script: (orderId: string) => Script, { startedMs = CREATED_MS - 1_000 } = {}) {
  const state = { script: {} as Script, nowMs: startedMs }
  const answer =
    (what: string): Script[string] =>
    (request) =>
      state.script[what]?.(request) ?? say(404, { error: 'not found' })
  const routes = ['POST /order', 'GET /data/order/', 'GET /data/trades', 'DELETE /order']
  const venue = await startScriptedClob(Object.fromEntries(routes.map((what) => [what, answer(what)])))
  const clock: Clock = {
    now: () => state.nowMs,
    after(_, task) {
      const soon = setImmediate(task)
      return () => clearImmediate(soon)
    },
    every: () => () => {},
  }
  const placed: Placement[] = []
  const log = createKeptLog()
  const { trading } = venue
  const placing = createPlacing({ clock, log, trading, onPlaced: (each) => void placed.push(each) })
  const orderId = await placing.orderIdOf(order)
  state.script = { 'GET /data/trades': () => say(200, NO_TRADES), ...script(orderId) }
  state.nowMs = CREATED_MS
  const sent = () => venue.asked.filter((what) => what === 'POST /order').length
  return { placing, venue, state, orderId, placed, sent, log }
}

test('a refusal of the first try is certain', async () => {
  const { placing, placed } = await openPlacing(() => ({
    'POST /order': () => say(400, { error: 'not enough balance / allowance' }),
  }))
  expect(await placing.place(order)).toMatchObject({
    state: 'refused',
    reason: 'not enough balance / allowance',
  })
  expect(placed).toHaveLength(1)
})

test('a refusal of a repeat says nothing about the try before it', async () => {
  const { placing, state, orderId } = await openPlacing(() => ({ 'POST /order': () => say(502, '') }))
  expect(await placing.place(order)).toMatchObject({ state: 'open', orderId })
  state.script['POST /order'] = () => say(400, { error: 'not enough balance / allowance' })
  expect(await placing.place(order)).toMatchObject({ state: 'open', orderId })
})

test('an order of an earlier process may have been sent by it', async () => {
  const { placing } = await openPlacing(
    () => ({ 'POST /order': () => say(400, { error: 'not enough balance / allowance' }) }),
    { startedMs: CREATED_MS },
  )
  expect(await placing.place(order)).toMatchObject({ state: 'open' })
})

test.each([10_001, -10_001])('an order is not sent %d ms after it was planned', async (ageMs) => {
  const { placing, state, sent } = await openPlacing((orderId) => ({
    'POST /order': () => accepted(orderId),
  }))
  state.nowMs = CREATED_MS + ageMs
  expect(await placing.place(order)).toMatchObject({ state: 'open' })
  expect(sent()).toBe(0)
})

test('an order without a trace was never there, after two minutes by both clocks', async () => {
  const { placing, state, venue } = await openPlacing(() => ({}))
  const look = async () => (await placing.look(order)).state
  state.nowMs = CREATED_MS + 119_999
  venue.drift(10_000)
  expect(await look()).toBe('open')
  state.nowMs = CREATED_MS + 120_000
  expect(await look()).toBe('refused')
  venue.drift(-10_000 + 119)
  expect(await look()).toBe('open')
  venue.drift(1)
  expect(await look()).toBe('refused')
})

test('what is matched is over once all of it is told', async () => {
  const trades = (orderId: string, size: string) => ({
    data: [{ ...tradeRow('1', 'MATCHED'), taker_order_id: orderId, size }, tradeRow('2')],
    next_cursor: 'LTE=',
  })
  const { placing, state, orderId } = await openPlacing((id) => ({
    'POST /order': () => accepted(id, 'matched'),
    'GET /data/order/': () => say(200, { ...orderRow(id), status: 'MATCHED', size_matched: '10' }),
    'GET /data/trades': () => say(200, trades(id, '9.99')),
  }))
  expect(await placing.place(order)).toMatchObject({
    state: 'open',
    fills: [{ tradeId: '1', sharesE6: 9_990_000n }],
  })
  state.script['GET /data/trades'] = () => say(200, trades(orderId, '10'))
  expect(await placing.look(order)).toMatchObject({
    state: 'closed',
    fills: [
      { tradeId: '1', state: 'matched', sharesE6: 10_000_000n, notionalE6: 5_000_000n, feeE6: 175_000n },
    ],
  })
})

test('an order that rests against its terms is canceled', async () => {
  const canceled: string[] = []
  const { placing, orderId } = await openPlacing((id) => ({
    'POST /order': () => accepted(id, 'live'),
    'GET /data/order/': () =>
      say(200, { ...orderRow(id), status: canceled.length > 0 ? 'CANCELED' : 'LIVE' }),
    'DELETE /order'() {
      canceled.push(id)
      return say(200, { canceled: [id], not_canceled: {} })
    },
  }))
  expect(await placing.place(order)).toMatchObject({ state: 'closed', fills: [] })
  expect(canceled).toEqual([orderId])
})

test('nothing rejects once something was sent, and nothing is refused that was not', async () => {
  const { placing, state } = await openPlacing((id) => ({
    'POST /order': () => accepted(id),
    'GET /data/order/': () => say(500, ''),
  }))
  expect(await placing.place(order)).toMatchObject({ state: 'open' })
  await expect(placing.look(order)).rejects.toMatchObject({ code: 'upstream_unavailable' })
  state.script['POST /order'] = () => say(401, { error: 'no' })
  const other = plannedOrder({ clientOrderId: 'b', createdMs: CREATED_MS })
  expect(await placing.place(other)).toMatchObject({ state: 'refused', reason: 'no' })
})

test('what the venue said it took is never one that it never had', async () => {
  const reply = { success: true, status: 'matched', takingAmount: '10', makingAmount: '5', tradeIDs: ['t1'] }
  const { placing, state, venue, orderId } = await openPlacing((orderID) => ({
    'POST /order': () => say(200, { ...reply, orderID }),
  }))
  expect(await placing.place(order)).toMatchObject({ state: 'open', isAccepted: true })
  state.nowMs += 120_000
  venue.drift(121)
  expect(await placing.look({ ...order, acceptedMs: CREATED_MS })).toMatchObject({ state: 'open' })
  const told = { ...tradeRow('t1'), taker_order_id: orderId }
  state.script['GET /data/trades'] = () => say(200, { data: [told], next_cursor: 'LTE=' })
  expect(await placing.look({ ...order, acceptedMs: CREATED_MS })).toMatchObject({
    ...{ state: 'closed', fills: [{ tradeId: 't1' }] },
  })
})

test.each(['DELAYED', 'LIVE', 'SOMETHING_NEW'])(
  'an order that stays %s is over ten minutes after its window, by both clocks',
  async (status) => {
    const { placing, state, venue } = await openPlacing((id) => ({
      'GET /data/order/': () => say(200, { ...orderRow(id), status }),
      'DELETE /order': () => say(400, { error: 'the market is closed' }),
    }))
    const look = async () => (await placing.look(order)).state
    const endMs = (order.windowStartS + 300) * 1000 + 600_000
    venue.drift((endMs - CREATED_MS) / 1000)
    state.nowMs = endMs - 1
    expect(await look()).toBe('open')
    state.nowMs = endMs
    expect(await look()).toBe('closed')
    venue.drift(-1)
    expect(await look()).toBe('open')
  },
)

test('an answer that cannot be read leaves its order open, and fails nobody else', async () => {
  const { placing, state, orderId } = await openPlacing((id) => ({
    'GET /data/order/': () => say(200, { ...orderRow(id), price: 'none' }),
  }))
  expect(await placing.look(order)).toMatchObject({ state: 'open', orderId })
  state.script['GET /data/trades'] = () => say(200, { data: [{ id: 7 }], next_cursor: 'LTE=' })
  expect(await placing.look(order)).toMatchObject({
    state: 'open',
    reason: expect.stringMatching('malformed'),
  })
})

test('only trades of its market are read, however many there are', async () => {
  const { placing } = await openPlacing((id) => ({
    'GET /data/order/': () => say(200, { ...orderRow(id), status: 'MATCHED', size_matched: '10' }),
    'GET /data/trades': ({ query }) =>
      query.get('market') === order.conditionId
        ? say(200, { data: [{ ...tradeRow('1'), taker_order_id: id }], next_cursor: 'LTE=' })
        : say(200, { data: [tradeRow('2')], next_cursor: 'Mg==' }),
  }))
  expect(await placing.look(order)).toMatchObject({ state: 'closed', fills: [{ tradeId: '1' }] })
})

test('a status that we do not know counts as matched and is told once', async () => {
  const { placing, log } = await openPlacing((id) => ({
    'GET /data/order/': () => say(200, { ...orderRow(id), status: 'MATCHED', size_matched: '10' }),
    'GET /data/trades': () =>
      say(200, { data: [{ ...tradeRow('1', 'PONDERED'), taker_order_id: id }], next_cursor: 'LTE=' }),
  }))
  expect(await placing.look(order)).toMatchObject({ state: 'closed', fills: [{ state: 'matched' }] })
  await placing.look(order)
  expect(log.lines.filter(({ text }) => text.includes('status'))).toHaveLength(1)
})
