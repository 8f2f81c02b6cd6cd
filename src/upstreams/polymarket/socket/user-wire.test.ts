import { describe, expect, it } from 'vitest'
import { CONDITION_ID, UP_TOKEN } from '../../../testing/upstreams/gamma-payloads.ts'
import { OWN_PAYLOADS } from '../../../testing/upstreams/own-payloads.ts'
import { readUserFrame, subscribeUserFrame } from './user-wire.ts'

const order = OWN_PAYLOADS['recorded/polymarket-ws/py_order_placement.json'] as object
const trade = OWN_PAYLOADS['recorded/polymarket-ws/py_user_trade1.json'] as object
const read = (json: unknown) => readUserFrame(JSON.stringify(json))

describe('frames of the user channel', () => {
  it('tells what became of an order', () => {
    expect(read(order)).toMatchObject([
      {
        type: 'order',
        change: 'PLACEMENT',
        tokenId: UP_TOKEN,
        sharesE6: 12_500_000n,
        matchedE6: 0n,
        price: 0.52,
      },
    ])
    expect(
      read([{ ...order, type: 'UPDATE', size_matched: '12.5', expiration: '1790620000' }, trade]),
    ).toMatchObject([
      { change: 'UPDATE', matchedE6: 12_500_000n, expiresAtMs: 1_790_620_000_000 },
      { type: 'trade', trade: { role: 'TAKER', status: 'MATCHED', sharesE6: 12_500_000n } },
    ])
  })

  it.each([
    [{ ...order, size_matched: '-1' }],
    [{ ...order, original_size: 'NaN' }],
    [{ ...order, type: 'TELEPORT' }],
    [{ ...trade, size: '12.1234567' }],
    [{ ...trade, maker_orders: null }],
    [{ ...trade, trader_side: 'BOTH' }],
  ])('refuses what does not add up, and says which market it was about', (event) => {
    expect(read(event)).toMatchObject([
      { type: 'malformed', conditionId: CONDITION_ID, tokenIds: [UP_TOKEN] },
    ])
  })

  it('does not take frames of the market channel', () => {
    expect(read({ event_type: 'book' })).toEqual([{ type: 'unknown', name: 'book' }])
    expect(readUserFrame('PONG')).toEqual([{ type: 'pong' }])
  })

  it('subscribes with the keys of the account', () => {
    const auth = { apiKey: 'key', secret: 'secret', passphrase: 'phrase' }
    expect(JSON.parse(subscribeUserFrame(auth, [CONDITION_ID]))).toEqual({
      auth,
      type: 'user',
      markets: [CONDITION_ID],
    })
    expect(() => subscribeUserFrame(auth, ['x'])).toThrow('not a condition id')
  })
})
