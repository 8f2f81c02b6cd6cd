import type { Browser } from 'playwright-core'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBuyer } from '../../src/testing/buyer.ts'
import { moneyOf } from '../../src/testing/chain-money.ts'
import { startWorld } from '../../src/testing/world.ts'
import { isChromiumMissing, launchChromium, openTab } from './chromium.ts'
import { createWallet, injectWallet } from './wallet.ts'

describe.skipIf(isChromiumMissing)('a person who opens a paid address of the real service', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  test('pays with an injected wallet, sees the data, and sees it again after a reload', async () => {
    await using world = await startWorld({ TOLLBOOK_DEMO_CALLS_PER_DAY: '0' })
    const buyer = await createBuyer(world)
    const before = await moneyOf(buyer)
    const { page, hosts, complaints } = await openTab(browser)
    await injectWallet(page, {
      ...createWallet(),
      account: privateKeyToAccount(buyer.secret as `0x${string}`),
    })
    const reply = await page.goto(`${world.url}/price/BTC`)
    expect(reply?.status()).toBe(402)
    await page.getByText('There are no free calls here').waitFor()
    await page.getByRole('button', { name: 'Pay with wallet' }).click()
    await page.getByRole('status').filter({ hasText: 'Paid' }).waitFor()
    const shown = page.getByRole('region', { name: 'Your reply' })
    const bought = await shown.textContent()
    expect(bought).toContain('"source": "sandbox:')
    expect(await moneyOf(buyer)).toBe(before - 1_000n)
    await page.reload()
    await page.getByRole('status').filter({ hasText: 'You bought this before' }).waitFor()
    expect(await shown.textContent()).toBe(bought)
    expect(await moneyOf(buyer)).toBe(before - 1_000n)
    const receipt = page.getByRole('link', { name: 'Signed receipt' })
    expect(await receipt.getAttribute('href')).toMatch(/^\/x402\/receipts\/[\w-]+$/)
    expect([complaints, [...hosts]]).toEqual([[], [new URL(world.url).host]])
    if (process.env.TOLLBOOK_TEST_SCREENSHOT)
      await page.screenshot({ path: process.env.TOLLBOOK_TEST_SCREENSHOT, fullPage: true })
  })

  test('uses a free call, and is never asked to sign for what does not exist', async () => {
    await using world = await startWorld({ TOLLBOOK_DEMO_CALLS_PER_DAY: '2' })
    await world.untilFresh()
    const { page, complaints } = await openTab(browser)
    const wallet = createWallet()
    await injectWallet(page, wallet)
    expect((await page.goto(`${world.url}/price/NOPE?demo=0`))?.status()).toBe(404)
    await page.getByText('NOPE is not a token we price').waitFor()
    await page.goto(`${world.url}/price/ETH?demo=0`)
    await page.getByText('left today: 2 of 2').waitFor()
    await page.getByRole('link', { name: 'Use a free call' }).click()
    await page.getByRole('status').filter({ hasText: 'It cost nothing' }).waitFor()
    expect(await page.getByRole('region', { name: 'Your reply' }).textContent()).toContain('"token": "ETH"')
    await page.reload()
    await page.getByText('left today: 1 of 2').waitFor()
    expect([wallet.calls, complaints]).toEqual([[], []])
  })
})
