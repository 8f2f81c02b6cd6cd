import { expect, test } from 'vitest'
import {
  orderNamed,
  orderRow,
  type Script,
  say,
  startScriptedClob,
} from '../../src/testing/prediction/scripted-clob.ts'

const OTHER_ID = `0x${'ab'.repeat(32)}`
const finds: Script = {
  'GET /data/order/': ({ path }) => say(200, orderRow(path.split('/').at(-1) ?? '')),
}
const accepted = { success: true, orderID: OTHER_ID, status: 'live', takingAmount: '', makingAmount: '' }

test.each([
  ['null', 200, 'null'],
  ['nothing', 200, ''],
  ['a page', 200, '<html>'],
  ['an error', 200, { error: 'boom' }],
  ['another version', 200, { error: 'order_version_mismatch' }],
  ['another order', 200, accepted],
  ['a request timeout', 408, { error: 'timeout' }],
  ['a conflict', 409, { error: 'conflict' }],
  ['a closed request', 499, ''],
  ['a bad gateway', 502, '<html>'],
  ['a redirect', 307, ''],
  ['an interrupted server', 400, { error: 'rpc error: context canceled' }],
  ['a delay', 400, { error: 'order match delayed due to market conditions' }],
  ['a delay and no success', 200, { success: false, errorMsg: 'error delaying the order' }],
])('an order that is answered with %s is looked up and not sent again', async (_, status, body) => {
  const taken = await startScriptedClob({ ...finds, 'POST /order': () => say(status, body) })
  expect(await taken.trading.place(orderNamed('a'))).toMatchObject({ state: 'live' })
  expect(taken.asked.filter((what) => what === 'POST /order')).toHaveLength(1)
  const lost = await startScriptedClob({ 'POST /order': () => say(status, body) })
  expect(await lost.trading.place(orderNamed('a'))).toMatchObject({ state: 'unknown' })
})

test.each([400, 401, 403, 404, 422, 425, 429])(
  'an order that is answered with %d is refused',
  async (status) => {
    const { trading } = await startScriptedClob({
      ...finds,
      'POST /order': () => say(status, { error: 'no' }),
    })
    expect(await trading.place(orderNamed('a'))).toMatchObject({ state: 'refused', reason: 'no' })
  },
)

test.each([
  'trading is disabled',
  'Trading is currently disabled. Check the site for updates',
  'Trading is currently cancel-only. New orders are not accepted',
  'post-only mode: only post-only orders and cancels are allowed',
])('a venue that says 503 and "%s" has not taken the order', async (error) => {
  const { trading } = await startScriptedClob({ 'POST /order': () => say(503, { error }) })
  expect(await trading.place(orderNamed('a'))).toMatchObject({ state: 'refused', fault: 'disabled' })
})

test('a key that is cut off with the end of a long text is taken out whole', async () => {
  const error = `${'x'.repeat(290)} key-1-of-the-account`
  const { trading } = await startScriptedClob({ 'POST /order': () => say(400, { error }) })
  expect(await trading.place(orderNamed('a'))).toMatchObject({ reason: expect.not.stringContaining('key-1') })
})

test('a repeat is the same order whatever the tick is by then', async () => {
  const { trading } = await startScriptedClob({ 'POST /order': () => say(400, { error: 'no' }) })
  const buy = orderNamed('a', { kind: 'FAK', priceE4: 9_700, size: { spendE6: 10_000_000n } })
  const [first, again] = [await trading.place(buy), await trading.place({ ...buy, tickE4: 10 })]
  expect(again.orderId).toBe(first.orderId)
})

test('an order that cannot be sent is not reported as sent', async () => {
  const { trading, asked } = await startScriptedClob(finds)
  await expect(trading.place(orderNamed('a', { kind: 'FOK', postOnly: true }))).rejects.toThrow(/postOnly/)
  expect(asked).not.toContain('POST /order')
})

test.each([400, 200])('keys are taken out of what the venue says (%d), and letters stay', async (status) => {
  const words = 'the key-1-of-the-account has no permission to post'
  const { trading } = await startScriptedClob({
    'POST /order': () => say(status, { success: false, error: words, errorMsg: words }),
  })
  expect(await trading.place(orderNamed('a'))).toMatchObject({
    state: 'refused',
    reason: 'the [secret] has no permission to post',
  })
})

test.each([
  ['a clock that ran away', 'drift'],
  ['a key that was revoked', 'revokeKey'],
] as const)('%s costs no order', async (_, trouble) => {
  const venue = await startScriptedClob({ ...finds, 'POST /order': () => say(400, { error: 'Duplicated.' }) })
  expect(await venue.trading.place(orderNamed('a'))).toMatchObject({ state: 'live' })
  venue[trouble](120)
  const orderId = await venue.trading.orderIdOf(orderNamed('b'))
  expect(await venue.trading.place(orderNamed('b'))).toMatchObject({ state: 'live', orderId })
  expect(venue.asked.filter((what) => what === 'GET /auth/derive-api-key')).toHaveLength(2)
  expect(venue.asked.filter((what) => what === 'POST /order')).toHaveLength(3)
})

test('who stays locked out is told so after one more try', async () => {
  const venue = await startScriptedClob({ 'POST /order': () => say(401, { error: 'no' }) })
  expect(await venue.trading.place(orderNamed('a'))).toMatchObject({
    state: 'refused',
    fault: 'unauthorized',
  })
  expect(venue.asked.filter((what) => what === 'POST /order')).toHaveLength(2)
})

test('the id of an order is known before anything is asked or sent', async () => {
  const { trading, asked } = await startScriptedClob(finds)
  const ids = await Promise.all(['a', 'a', 'b'].map((id) => trading.orderIdOf(orderNamed(id))))
  expect(asked).toEqual([])
  expect(ids[0]).toMatch(/^0x[0-9a-f]{64}$/)
  expect([ids[1] === ids[0], ids[2] === ids[0]]).toEqual([true, false])
  await expect(trading.orderIdOf(orderNamed('a', { priceE4: 5_050 }))).rejects.toThrow(RangeError)
})
