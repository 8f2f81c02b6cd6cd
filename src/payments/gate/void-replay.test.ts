import { expect, test } from 'vitest'
import { openBoundedShop, paymentOf } from '../../testing/payments/bounded-shop.ts'
import { FAILED_BY_CLIENT } from './bounds/limits.ts'

test('what was declared void and moved after all is handed out when it is sent again', async () => {
  const shop = openBoundedShop()
  const payment = paymentOf('honest')
  shop.world.outcome = () => ({ kind: 'dead' })
  expect(await shop.buy(payment)).toBe('payment_void')
  expect(await shop.buy(payment)).toBe('payment_void')
  shop.world.outcome = () => ({ kind: 'paid', transaction: '0x1' })
  expect(await shop.buy(payment, { problem: 'expired' })).toBe('sold')
  expect([...shop.rows.values()]).toMatchObject([{ state: 'settled', transaction: '0x1' }])
})

test('who sends void payments again and again makes us look no more often than others fail', async () => {
  const shop = openBoundedShop()
  const payment = paymentOf('honest')
  shop.world.outcome = () => ({ kind: 'dead' })
  await shop.buy(payment)
  const before = shop.asked.outcome
  for (let again = 0; again < 300; again++)
    await shop.buy(payment, { problem: (await shop.bounds.findOver('client')) ?? 'expired' })
  expect(shop.asked.outcome - before).toBe(FAILED_BY_CLIENT.calls - 1)
})

test('copies of a void payment that come at once are looked at once', async () => {
  const shop = openBoundedShop()
  const payment = paymentOf('honest')
  shop.world.outcome = () => ({ kind: 'dead' })
  await shop.buy(payment)
  const before = shop.asked.outcome
  const bought = await Promise.all(
    Array.from({ length: 256 }, () => shop.buy(payment, { problem: 'expired' })),
  )
  expect(shop.asked.outcome - before).toBe(1)
  expect(bought.filter((each) => each === 'payment_void')).toHaveLength(1)
  expect(bought.filter((each) => each === 'payment_in_progress')).toHaveLength(255)
})
