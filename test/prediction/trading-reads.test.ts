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
const UNKNOWN = { name: 'TradingError', fault: expect.stringMatching(/^(unknown|malformed)$/) }

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

test('a key that is no longer taken costs no answer, and a second refusal is told', async () => {
  const venue = await startScriptedClob({
    'GET /data/trades': () => say(200, { data: [], next_cursor: 'LTE=' }),
    'GET /balance-allowance': () => say(401, { error: 'no' }),
  })
  expect(await venue.trading.trades(0)).toEqual([])
  venue.revokeKey()
  expect(await venue.trading.trades(0)).toEqual([])
  await expect(venue.trading.balance()).rejects.toMatchObject({ fault: 'unauthorized' })
  expect(venue.asked.filter((what) => what === 'GET /balance-allowance')).toHaveLength(2)
})

test.each([
  ['ORDER_STATUS_MATCHED', 'matched'],
  ['ORDER_STATUS_CANCELED_MARKET_RESOLVED', 'canceled'],
  ["CANCELED_order couldn't be fully filled", 'canceled'],
  ['CANCELLED', 'canceled'],
  ['INVALID', 'canceled'],
  ['ORDER_STATUS_LIVE', 'live'],
  ['SOMETHING_NEW', 'other'],
])('an order that the venue calls %s is %s', async (status, state) => {
  const { trading } = await startScriptedClob({
    'GET /data/order/': () => say(200, { ...orderRow(ORDER_ID), status }),
  })
  expect(await trading.order(ORDER_ID)).toMatchObject({ state })
})

test('the status of a trade may be told with the name of its kind', async () => {
  const { trading } = await startScriptedClob({
    'GET /data/trades': () => say(200, { data: [tradeRow('1', 'TRADE_STATUS_FAILED')], next_cursor: 'LTE=' }),
  })
  expect(await trading.trades(0)).toMatchObject([{ status: 'FAILED' }])
})

test('trades of one market are asked for by its name', async () => {
  const market = `0x${'11'.repeat(32)}`
  const { trading } = await startScriptedClob({
    'GET /data/trades': ({ query }) =>
      say(200, { data: [tradeRow('1')], next_cursor: query.get('market') === market ? 'LTE=' : 'Mg==' }),
  })
  expect(await trading.trades(0, market)).toHaveLength(1)
  await expect(trading.trades(0)).rejects.toMatchObject(UNKNOWN)
})

test('the venue looks at the shares of a token before it tells them', async () => {
  let seen = '0'
  const { trading } = await startScriptedClob({
    'GET /balance-allowance': () => say(200, { balance: seen, allowances: {} }),
    'GET /balance-allowance/update'({ query }) {
      if (query.get('asset_type') === 'CONDITIONAL' && query.get('token_id') === '123') seen = '5000000'
      return say(200, '')
    },
  })
  expect(await trading.sharesE6('123')).toBe(5_000_000n)
})

test.each([
  [403, 'Trading restricted in your region, please refer to available regions', 'geoblocked', 1],
  [403, 'Invalid api key', 'unauthorized', 2],
  [451, 'no', 'geoblocked', 1],
])('%d %s: it is %s and sent %d times', async (status, error, fault, times) => {
  const { trading, asked } = await startScriptedClob({ 'POST /order': () => say(status, { error }) })
  expect(await trading.place(orderNamed('a'))).toMatchObject({ state: 'refused', fault })
  expect(asked.filter((what) => what === 'POST /order')).toHaveLength(times)
})
