import { expect, test } from 'vitest'
import { countEndings, openBoundedShop, paymentOf } from '../../../testing/payments/bounded-shop.ts'
import { LOOKS_AT_UNSEEN, UNSEEN_BY_CLIENT, UNSEEN_BY_PAYER } from './limits.ts'

/** A facilitator says that they were used, and our node shows nothing of it. */
function openLaggingShop() {
  const shop = openBoundedShop()
  shop.world.verify = () => ({ kind: 'used' })
  shop.world.outcome = () => ({ kind: 'open' })
  const buyOften = async (times: number, next: (n: number) => ReturnType<typeof paymentOf>) => {
    const endings: string[] = []
    for (let n = 0; n < times; n++) endings.push(await shop.buy(next(n)))
    return countEndings(endings)
  }
  return { ...shop, buyOften }
}

/** What a facilitator and a node say of a good payment. */
const SHOWN = {
  verify: () => ({ kind: 'valid' }),
  outcome: () => ({ kind: 'paid', transaction: '0x1' }),
} as const

test('one that others have used and our node does not show is looked at so often, and sold when it is seen', async () => {
  const { asked, world, clock, buy, buyOften } = openLaggingShop()
  const payment = paymentOf('charged')
  expect(await buyOften(100, () => payment)).toEqual({ payment_pending: 100 })
  expect([asked.verify, asked.outcome]).toEqual([LOOKS_AT_UNSEEN.calls, LOOKS_AT_UNSEEN.calls])
  world.outcome = () => ({ kind: 'paid', transaction: '0x1' })
  clock.advance(LOOKS_AT_UNSEEN.windowS * 1000)
  expect(await buy(payment)).toBe('sold')
})

test('so are all of one wallet, and other wallets do not wait for it', async () => {
  const { asked, buy, buyOften } = openLaggingShop()
  const payments = Array.from({ length: 5 }, () => paymentOf('charged'))
  await buyOften(100, (n) => payments[n % 5] ?? paymentOf('charged'))
  expect(asked.verify).toBe(UNSEEN_BY_PAYER.calls)
  await buy(paymentOf('another'))
  expect(asked.verify).toBe(UNSEEN_BY_PAYER.calls + 1)
})

test('who asks every two seconds is looked at each time, for as long as it takes', async () => {
  const { asked, clock, buy } = openLaggingShop()
  const payment = paymentOf('charged')
  for (let n = 0; n < 300; n++) {
    expect(await buy(payment)).toBe('payment_pending')
    clock.advance(2_000)
  }
  expect(asked.verify).toBe(300)
})

test('so are all of one client, whatever wallets it uses, and other clients do not wait for it', async () => {
  const { asked, buy, buyOften } = openLaggingShop()
  const { calls } = UNSEEN_BY_CLIENT
  expect(await buyOften(200, (n) => paymentOf(`wallet-${n}`))).toEqual({
    payment_pending: calls,
    rate_limited: 200 - calls,
  })
  expect(asked.verify).toBe(UNSEEN_BY_CLIENT.calls)
  await buy(paymentOf('another'), { client: 'elsewhere' })
  expect(asked.verify).toBe(UNSEEN_BY_CLIENT.calls + 1)
})

test('a wallet that has bought lately is a stranger after one of them, until it buys again', async () => {
  const { world, bounds, buy } = openLaggingShop()
  const lagging = { ...world }
  Object.assign(world, SHOWN)
  expect(await buy(paymentOf('buyer'))).toBe('sold')
  expect(bounds.isKnown('buyer')).toBe(true)
  Object.assign(world, lagging)
  expect(await buy(paymentOf('buyer'))).toBe('payment_pending')
  expect(bounds.isKnown('buyer')).toBe(false)
  Object.assign(world, SHOWN)
  expect(await buy(paymentOf('buyer'))).toBe('sold')
  expect(bounds.isKnown('buyer')).toBe(true)
})

test('a wallet that has bought lately answers for none of those behind its address', async () => {
  const { world, buy, buyOften } = openLaggingShop()
  const lagging = { ...world }
  Object.assign(world, SHOWN)
  expect(await buy(paymentOf('buyer'))).toBe('sold')
  Object.assign(world, lagging)
  await buyOften(2 * UNSEEN_BY_CLIENT.calls, (n) => paymentOf(`wallet-${n}`))
  Object.assign(world, SHOWN)
  expect(await buy(paymentOf('buyer'))).toBe('sold')
  expect(await buy(paymentOf('another'))).toBe('rate_limited')
})
