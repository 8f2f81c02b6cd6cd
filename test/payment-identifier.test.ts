import { appendPaymentIdentifierToExtensions, generatePaymentId } from '@x402/extensions/payment-identifier'
import { expect, test } from 'vitest'
import { createBuyer } from '../src/testing/buyer.ts'
import { moneyOf } from '../src/testing/chain-money.ts'
import { useSharedWorld } from '../src/testing/shared/shared-world.ts'
import type { World } from '../src/testing/world.ts'

const PRICE = 1_000n
let world: World
useSharedWorld('without free calls', (it) => {
  world = it
})

test.each(['base', 'solana'] as const)(
  'a stock client on %s that pays twice under one identifier is charged once',
  async (network) => {
    const buyer = await createBuyer(world, network)
    const id = generatePaymentId()
    buyer.wallet.onBeforePaymentCreation(async ({ paymentRequired }) => {
      appendPaymentIdentifierToExtensions(paymentRequired.extensions ?? {}, id)
    })
    const before = await moneyOf(buyer)
    const [first, second] = [
      await buyer.fetch(`${world.url}/price/BTC`),
      await buyer.fetch(`${world.url}/price/BTC`),
    ]
    expect([first.status, second.status]).toEqual([200, 409])
    expect(await second.json()).toMatchObject({ code: 'payment_already_used' })
    expect(new Set(buyer.sent).size).toBe(2)
    expect(await moneyOf(buyer)).toBe(before - PRICE)
    const again = await world.get('/price/BTC', { 'payment-signature': buyer.sent[0] ?? '' })
    expect([again.status, await again.text()]).toEqual([200, await first.text()])
  },
)
