import { expect, test } from 'vitest'
import { countEndings, openBoundedShop, paymentOf } from '../../../testing/payments/bounded-shop.ts'
import { UNSOLD_BY_CLIENT, UNSOLD_BY_PAYER } from './limits.ts'

const MINUTE_MS = 60_000

test('a good payment that never becomes a sale is checked so often in a minute, and no more', async () => {
  const shop = openBoundedShop()
  shop.world.isBroken = true
  const payment = paymentOf('wallet')
  const endings: string[] = []
  for (let n = 0; n < 2 * UNSOLD_BY_PAYER.calls; n++) endings.push(await shop.buy(payment))
  expect(countEndings(endings)).toEqual({
    upstream_unavailable: UNSOLD_BY_PAYER.calls,
    rate_limited: UNSOLD_BY_PAYER.calls,
  })
  expect(shop.asked.verify).toBe(UNSOLD_BY_PAYER.calls)
  shop.clock.advance(MINUTE_MS)
  shop.world.isBroken = false
  expect(await shop.buy(payment)).toBe('sold')
})

test('nor do many wallets of one client get more, while others buy', async () => {
  const shop = openBoundedShop()
  shop.world.isBroken = true
  for (let n = 0; n < 2 * UNSOLD_BY_CLIENT.calls; n++) {
    const over = await shop.bounds.findOver('client')
    await shop.buy(paymentOf(`wallet-${n}`), over ? { problem: over } : {})
  }
  expect(shop.asked.verify).toBe(UNSOLD_BY_CLIENT.calls)
  shop.world.isBroken = false
  expect(await shop.buy(paymentOf('honest'), { client: 'elsewhere' })).toBe('sold')
})

test('who has bought and then only asks is a stranger again, and has none of what is kept for buyers', async () => {
  const shop = openBoundedShop()
  for (let n = 0; n < 3; n++) expect(await shop.buy(paymentOf('wallet'))).toBe('sold')
  shop.world.isBroken = true
  shop.asked.known.length = 0
  for (let n = 0; n < 3; n++) await shop.buy(paymentOf('wallet'))
  expect(shop.asked.known).toEqual([true, false, false])
})
