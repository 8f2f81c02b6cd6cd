import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { launchChromium, openTab, type Tab } from './chromium.ts'
import { openShop, PATH, type Shop } from './shop.ts'
import { createWallet, injectWallet, type Wallet } from './wallet.ts'

/** A shop, a tab and a wallet, new for each test of a file; the browser is one for all of them. */
export type Scene = { browser: Browser; shop: Shop; tab: Tab; wallet: Wallet }

export function describeScene(): Scene {
  const scene = {} as Scene
  beforeAll(async () => {
    scene.browser = await launchChromium()
  })
  afterAll(() => scene.browser?.close())
  beforeEach(async () => {
    Object.assign(scene, {
      shop: await openShop(),
      tab: await openTab(scene.browser),
      wallet: createWallet(),
    })
  })
  afterEach(async () => {
    const { tab, shop } = scene
    await tab.page.context().close()
    await shop.close()
    // Whatever a test did: the page has raised no error and has spoken to its own host only.
    expect(tab.complaints).toEqual([])
    expect([...tab.hosts]).toEqual([new URL(shop.url).host])
  })
  return scene
}

/** The page's timers are paused; tests advance them. */
export async function open({ shop, tab }: Scene, page: Page = tab.page): Promise<void> {
  await page.clock.install()
  await page.goto(shop.url + PATH)
  await page.clock.pauseAt(Date.now() + 1000)
}

export async function openWithWallet(scene: Scene): Promise<void> {
  await injectWallet(scene.tab.page, scene.wallet)
  await open(scene)
}

export const button = ({ tab }: Scene) => tab.page.getByRole('button', { name: 'Pay with wallet' })
export const status = ({ tab }: Scene) => tab.page.getByRole('status')
/** What is shown of tries, and not read aloud. */
export const notes = ({ tab }: Scene, text: string) =>
  tab.page.locator('#progress').filter({ hasText: text }).waitFor()
export const says = (scene: Scene, text: string) => status(scene).filter({ hasText: text }).waitFor()
export const kept = ({ tab }: Scene) => tab.page.evaluate('localStorage.length')
export const reply = ({ tab }: Scene) => tab.page.getByRole('region', { name: 'Your reply' })
/** Buys once more, through the question that comes before it. */
export async function buyAgain({ tab }: Scene): Promise<void> {
  await tab.page.getByRole('button', { name: 'Buy again' }).click()
  await tab.page.getByRole('dialog').getByRole('button', { name: 'Pay with wallet' }).click()
}
export const signatures = ({ wallet }: Scene) =>
  wallet.calls.filter(({ method }) => method === 'eth_signTypedData_v4').length
