import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openVenues, type Venues } from '../../src/testing/venues.ts'
import { startWorld, type World } from '../../src/testing/world.ts'
import { isChromiumMissing, launchChromium, openTab } from './chromium.ts'

/** Set to a folder to look at the page. */
const SCREENSHOTS = process.env.TOLLBOOK_TEST_SCREENSHOTS
const SIZES = [
  { width: 1280, height: 900 },
  { width: 320, height: 640 },
]

describe.skipIf(isChromiumMissing)('a person without a wallet who opens a paid address', () => {
  let venues: Venues
  let browser: Browser
  beforeAll(async () => {
    ;[venues, browser] = await Promise.all([openVenues(), launchChromium()])
  })
  afterAll(() => Promise.all([venues.close(), browser.close()]))

  test.each(['sandbox', 'paper'])('pays with a throw-away wallet in one click in %s mode', async (mode) => {
    const env = mode === 'paper' ? venues.env : {}
    await using world = await startWorld({ TOLLBOOK_MODE: mode, ...env })
    const { page, hosts, complaints } = await openTab(browser)
    const reply = await page.goto(`${world.url}/signals?coins=btc,eth&demo=0`)
    expect(reply?.status()).toBe(402)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
      'Five-minute signals for BTC and ETH',
    )
    await page.getByText('You asked for the price').waitFor()
    await page.getByText('the money is play money').waitFor()
    await page.getByRole('button', { name: 'Pay with a throw-away wallet' }).click()
    await page.getByRole('status').filter({ hasText: 'Paid' }).waitFor()
    expect(await page.getByRole('region', { name: 'Your reply' }).textContent()).toContain('"BTC": {')
    const link = page.getByRole('link', { name: 'Signed receipt' })
    const receipt = await fetch(new URL((await link.getAttribute('href')) ?? '', world.url))
    const { transaction, ...rest } = (await receipt.json()) as { transaction: string }
    expect(rest).toMatchObject({ state: 'settled', product_id: 'signal.all' })
    await page.getByText(transaction).waitFor()
    expect([complaints, [...hosts]]).toEqual([[], [new URL(world.url).host]])
    if (mode === 'paper' && SCREENSHOTS) await photograph(world, browser, SCREENSHOTS)
  })

  test('is told why once the free calls are used up, and of which coin the price is', async () => {
    await using world = await startWorld({ TOLLBOOK_DEMO_CALLS_PER_DAY: '1' })
    const { page } = await openTab(browser)
    await world.untilFresh()
    expect((await page.goto(`${world.url}/price/eth`))?.status()).toBe(200)
    await page.goto(`${world.url}/price/eth`)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('ETH price in US dollars')
    await page.getByText('No free call is left for you today').waitFor()
  })
})

async function photograph(world: World, browser: Browser, folder: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const viewport of SIZES) {
      const { page } = await openTab(browser, { colorScheme, viewport })
      await page.goto(`${world.url}/price/BTC?demo=0`)
      const name = `${folder}/${colorScheme}-${viewport.width}`
      await page.screenshot({ path: `${name}-before.png`, fullPage: true })
      await page.getByRole('button', { name: 'Pay with a throw-away wallet' }).click()
      await page.getByRole('link', { name: 'Signed receipt' }).waitFor()
      expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBeLessThanOrEqual(viewport.width)
      await page.screenshot({ path: `${name}-after.png`, fullPage: true })
      await page.context().close()
    }
}
