import { describe, expect, it } from 'vitest'
import { CONDITION_ID, UP_TOKEN } from '../../../testing/upstreams/gamma-payloads.ts'
import { OWN_PAYLOADS } from '../../../testing/upstreams/own-payloads.ts'
import { readErrorBody } from '../error-body.ts'
import { BalanceReply, OpenOrdersReply, PostOrderReply, UserTradesReply } from './order-wire.ts'

const posted = OWN_PAYLOADS['from-docs/polymarket_order_response_v2.json'] as object
const WALLET = `0x${'c1'.repeat(20)}`

describe('replies to those who trade', () => {
  it('tells an order that was taken from one that was not', () => {
    expect(PostOrderReply.parse(posted)).toMatchObject({
      isAccepted: true,
      status: 'matched',
      makingE6: 5_200_000n,
      takingE6: 10_000_000n,
      tradeIds: ['trade-1'],
    })
    const resting = { ...posted, status: 'live', takingAmount: '', makingAmount: '', tradeIDs: null }
    expect(PostOrderReply.parse(resting)).toMatchObject({ status: 'live', makingE6: undefined, tradeIds: [] })
    expect(PostOrderReply.parse({ success: false, errorMsg: 'not enough balance' })).toEqual({
      isAccepted: false,
      reason: 'not enough balance',
    })
  })

  it.each([
    [{ success: null }],
    [{ success: 'true' }],
    [{ status: 'teleported' }],
    [{ orderID: '' }],
    [{ makingAmount: '5.1234567' }],
    [{ makingAmount: '-5' }],
    [{ makingAmount: '1e3' }],
    [{ makingAmount: '9'.repeat(19) }],
  ])('refuses %j', (changed) => {
    expect(PostOrderReply.safeParse({ ...posted, ...changed }).success).toBe(false)
  })

  it('counts balances exactly', () => {
    const balance = (units: unknown) =>
      BalanceReply.safeParse({ balance: units, allowances: { [WALLET]: '1' } })
    expect(balance(String(2n ** 256n - 1n)).data?.balance).toBe(2n ** 256n - 1n)
    for (const units of [String(2n ** 256n), '1.5', '-1', '', 25_000_000, null])
      expect(balance(units).success).toBe(false)
    expect(BalanceReply.safeParse({ balance: '1', allowances: { nobody: '1' } }).success).toBe(false)
  })

  it('reads open orders and where their next page is', () => {
    const order = {
      id: 'an-order',
      status: 'LIVE',
      market: CONDITION_ID,
      asset_id: UP_TOKEN,
      side: 'BUY',
      price: '0.52',
      original_size: '12.5',
      size_matched: '2.5',
      outcome: 'Up',
      maker_address: WALLET,
      order_type: 'GTC',
      created_at: 1_790_617_512,
      expiration: '0',
    }
    expect(OpenOrdersReply.parse({ data: [order], next_cursor: 'MTAw' })).toMatchObject({
      rows: [{ sharesE6: 12_500_000n, matchedE6: 2_500_000n, expiresAtMs: undefined }],
      nextCursor: 'MTAw',
    })
    expect(OpenOrdersReply.parse({ data: [], next_cursor: 'LTE=' }).nextCursor).toBeUndefined()
    // A row that makes no sense is no basis for another order.
    const wrong = { ...order, size_matched: '-1' }
    expect(OpenOrdersReply.safeParse({ data: [order, wrong], next_cursor: '' }).success).toBe(false)
  })

  it('reads trades with the part of each maker', () => {
    const page = UserTradesReply.parse(OWN_PAYLOADS['from-docs/polymarket_rs_user_trades.json'])
    expect(page.rows[0]?.makerOrders.map(({ sharesE6 }) => sharesE6)).toEqual([7_500_000n, 5_000_000n])
  })

  it('finds the reason of a refusal in any body', () => {
    expect(readErrorBody({ error: 'trading is disabled' }).message).toBe('trading is disabled')
    expect(readErrorBody({ error: 'x'.repeat(5_000) }).message).toHaveLength(300)
    for (const body of [undefined, null, 'text', [], { error: 5 }, { error: { length: { valueOf: 1 } } }])
      expect(readErrorBody(body).message).toBeUndefined()
  })
})
