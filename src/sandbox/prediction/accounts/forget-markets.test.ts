import { expect, test } from 'vitest'
import { silentLog } from '../../../core/log.ts'
import { openAccountStore } from './account-store.ts'
import { forgetMarkets } from './forget-markets.ts'
import { holdingsOf } from './positions.ts'
import type { AccountTrade } from './rows.ts'

const ME = `0x${'a'.repeat(40)}`
const OTHER = `0x${'b'.repeat(40)}`
const BYTES = `0x${'1'.repeat(64)}`

function openStore() {
  const store = openAccountStore({ log: silentLog })
  let seq = 0
  return {
    store,
    market(id: string, winner?: 0 | 1) {
      const names = { id, slug: id, eventSlug: id, question: id, endsMs: 1 }
      store.markets.put({
        ...names,
        outcomes: ['Up', 'Down'],
        tokenIds: [`${id}0`, `${id}1`],
        ...(winner !== undefined && { winner }),
      })
    },
    trade(conditionId: string, rest: Partial<AccountTrade> = {}) {
      seq += 1
      store.trades.put({
        ...{
          id: `t${seq}`,
          seq,
          orderId: BYTES,
          owner: '',
          wallet: ME,
          conditionId,
          tokenId: `${conditionId}0`,
        },
        ...{ side: 'BUY', priceE4: 5_000, sharesE6: 2, collateralE6: 1, feeE6: 0, role: 'TAKER' },
        ...{ counter: { orderId: '', wallet: '' }, status: 'CONFIRMED', settlementId: BYTES },
        ...{ transactionHash: BYTES, matchedMs: seq, updatedMs: seq, ...rest },
      })
    },
    redeem(conditionId: string) {
      seq += 1
      store.events.put({
        ...{
          id: `e${seq}`,
          seq,
          type: 'REDEEM',
          wallet: ME,
          conditionId,
          tokenId: `${conditionId}0`,
          block: 1,
        },
        ...{ sharesE6: 2n, collateralE6: 2n, transactionHash: BYTES, atMs: seq },
      })
    },
    left: () => [...store.trades.all(), ...store.events.all()].map(({ conditionId }) => conditionId).sort(),
  }
}

test('of a wallet that did too much, whole markets go that are over, the oldest first, and no sum changes', () => {
  const { store, market, trade, redeem, left } = openStore()
  market('won', 0)
  market('open')
  market('paid', 0)
  market('lost', 1)
  market('late', 1)
  market('moving', 1)
  trade('moving', { status: 'MATCHED' })
  trade('won')
  trade('open')
  trade('paid')
  redeem('paid')
  trade('lost')
  trade('lost')
  trade('late')
  trade('lost', { wallet: OTHER })
  const worth = () =>
    holdingsOf(store, ME).filter(({ sharesE6, market: { winner } }) => sharesE6 > 0n && winner !== 1)
  const before = worth()
  forgetMarkets(store, { maxDeeds: 5 })
  expect(left()).toEqual(['late', 'lost', 'moving', 'open', 'won'])
  expect(worth()).toEqual(before)
  forgetMarkets(store, { maxDeeds: 1 })
  expect(left()).toEqual(['lost', 'moving', 'open', 'won'])
})

test('markets that nobody traded go with time, those that somebody did stay', () => {
  const { store, market, trade } = openStore()
  for (const id of ['a', 'b', 'c']) market(id, 0)
  market('d')
  trade('b')
  forgetMarkets(store, { maxMarkets: 3 })
  expect(store.markets.all().map(({ id }) => id)).toEqual(['b', 'd'])
})
