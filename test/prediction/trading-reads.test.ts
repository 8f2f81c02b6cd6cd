import { expect, test } from 'vitest'
import {
  orderNamed,
  orderRow,
  type Script,
  say,
  startScriptedClob,
  tradeRow,
} from '../../src/testing/prediction/scripted-clob.ts'

const ORDER_ID = `0x${'cd'.repeat(32)}`
const OTHER_ID = `0x${'ab'.repeat(32)}`
const UNKNOWN = { name: 'TradingError', fault: 'unknown' }

test.each([null, '', { error: 'boom' }, { data: 'boom', next_cursor: 'LTE=' }, { data: null }, 7])(
  'lists and cancellations that are answered with %j are unknown',
  async (body) => {
    const answer = () => say(200, body)
    const { trading } = await startScriptedClob({
      'GET /data/trades': answer,
      'GET /data/orders': answer,
      'DELETE /order': answer,
      'GET /balance-allowance': answer,
    })
    await expect(trading.trades(0)).rejects.toMatchObject(UNKNOWN)
    await expect(trading.openOrders()).rejects.toMatchObject(UNKNOWN)
    await expect(trading.cancel(ORDER_ID)).rejects.toMatchObject(UNKNOWN)
    await expect(trading.balance()).rejects.toMatchObject(UNKNOWN)
  },
)

test.each([
  [{ canceled: [ORDER_ID], not_canceled: {} }, true],
  [{ canceled: [], not_canceled: { [ORDER_ID]: 'already canceled or matched' } }, false],
  [{ not_canceled: { [ORDER_ID]: 'already canceled or matched' } }, false],
])('a cancellation is told by the order that it names (%#)', async (body, isCanceled) => {
  const { trading } = await startScriptedClob({ 'DELETE /order': () => say(200, body) })
  expect(await trading.cancel(ORDER_ID)).toBe(isCanceled)
})

test.each([
  {},
  { canceled: [] },
  { canceled: [OTHER_ID], not_canceled: {} },
  { canceled: { length: { valueOf: 1 } } },
])('a cancellation that does not name the order is unknown (%#)', async (body) => {
  const { trading } = await startScriptedClob({ 'DELETE /order': () => say(200, body) })
  await expect(trading.cancel(ORDER_ID)).rejects.toMatchObject(UNKNOWN)
})

test('a reply about another order is none about this one', async () => {
  const { trading } = await startScriptedClob({
    'GET /data/order/': () => say(200, orderRow(OTHER_ID)),
    'POST /order': () => say(502, ''),
  })
  expect(await trading.order(OTHER_ID)).toMatchObject({ orderId: OTHER_ID })
  await expect(trading.order(ORDER_ID)).rejects.toMatchObject(UNKNOWN)
  expect(await trading.place(orderNamed('a'))).toMatchObject({ state: 'unknown' })
})

test('a row that moves to the next page is told once, as it was read last', async () => {
  const pages =
    (first: unknown[], second: unknown[]): Script[string] =>
    ({ query }) =>
      query.get('next_cursor') === 'MA=='
        ? say(200, { data: first, next_cursor: 'Mg==' })
        : say(200, { data: second, next_cursor: 'LTE=' })
  const { trading } = await startScriptedClob({
    'GET /data/trades': pages([tradeRow('3'), tradeRow('2', 'MATCHED')], [tradeRow('2'), tradeRow('1')]),
    'GET /data/orders': pages([orderRow(ORDER_ID)], [orderRow(ORDER_ID), orderRow(OTHER_ID)]),
  })
  const told = (await trading.trades(0)).map(({ tradeId, status }) => `${tradeId} ${status}`)
  expect(told).toEqual(['3 CONFIRMED', '2 CONFIRMED', '1 CONFIRMED'])
  expect((await trading.openOrders()).map(({ orderId }) => orderId)).toEqual([ORDER_ID, OTHER_ID])
})

test('a list without an end is unknown', async () => {
  const { trading } = await startScriptedClob({ 'GET /data/trades': () => say(200, { data: [] }) })
  await expect(trading.trades(0)).rejects.toMatchObject(UNKNOWN)
})
