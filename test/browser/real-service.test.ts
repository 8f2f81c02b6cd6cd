import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { createBuyer } from '../../src/testing/buyer.ts'
import { moneyOf } from '../../src/testing/chain-money.ts'
import { startWorld } from '../../src/testing/world.ts'
import { isChromiumMissing, launchChromium, openTab } from './chromium.ts'
import { createWallet, injectWallet } from './wallet.ts'

describe.skipIf(isChromiumMissing)('a person who opens a paid address of the real service', () => {
  test('pays with an injected wallet and sees the data', async () => {
    await using world = await startWorld({ TOLLBOOK_DEMO_CALLS_PER_DAY: '0' })
    const browser = await launchChromium()
    try {
      const buyer = await createBuyer(world)
      const before = await moneyOf(buyer)
      const { page, hosts, complaints } = await openTab(browser)
      await injectWallet(page, {
        ...createWallet(),
        account: privateKeyToAccount(buyer.secret as `0x${string}`),
      })
      const reply = await page.goto(`${world.url}/price/BTC`)
      expect(reply?.status()).toBe(402)
      await page.getByRole('button', { name: 'Pay with wallet' }).click()
      await page.getByRole('status').filter({ hasText: 'Paid' }).waitFor()
      expect(await page.locator('body').textContent()).toContain('"source": "sandbox:')
      expect(await moneyOf(buyer)).toBe(before - 1_000n)
      expect([complaints, [...hosts]]).toEqual([[], [new URL(world.url).host]])
      if (process.env.TOLLBOOK_TEST_SCREENSHOT)
        await page.screenshot({ path: process.env.TOLLBOOK_TEST_SCREENSHOT, fullPage: true })
    } finally {
      await browser.close()
    }
  })
})
