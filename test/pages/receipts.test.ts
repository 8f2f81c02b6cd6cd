import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, describe, expect, test } from 'vitest'
import { type Buyer, createBuyer } from '../../src/testing/buyer.ts'
import { lackOf } from '../../src/testing/missing.ts'
import { useSharedWorld } from '../../src/testing/shared/shared-world.ts'
import type { World } from '../../src/testing/world.ts'
import { isChromiumMissing, launchChromium, openTab } from '../browser/chromium.ts'
import { focusedText, tabTo } from '../browser/keyboard.ts'
import { announceWallet, createWallet, injectWallet, type Wallet } from '../browser/wallet.ts'

const PAID = '/price/BTC?demo=0'

describe.skipIf(isChromiumMissing)('receipts in a browser', () => {
  let world: World
  let browser: Browser
  /** Undefined where the local chain cannot run. */
  let buyer: Buyer | undefined
  let sold: unknown
  useSharedWorld('usual', async (it) => {
    world = it
    browser = await launchChromium()
    const offered = (await (await world.get('/sandbox/wallets')).json()) as { evm?: unknown }
    if (!offered.evm) return
    buyer = await createBuyer(world)
    sold = await (await buyer.fetch(`${world.url}${PAID}`)).json()
  })
  afterAll(() => browser?.close())

  const walletOf = ({ secret }: Buyer): Wallet => ({
    ...createWallet(),
    account: privateKeyToAccount(secret as `0x${string}`),
  })
  const open = async (wallet?: Wallet) => {
    const tab = await openTab(browser)
    if (wallet) await injectWallet(tab.page, wallet)
    await tab.page.goto(`${world.url}/account/receipts`)
    return tab
  }
  const signIn = (page: Page) => page.getByRole('button', { name: 'Sign in with your wallet' }).click()
  const says = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()
  const signatures = (wallet: Wallet) =>
    wallet.calls.filter(({ method }) => method === 'personal_sign').length

  test('a wallet that has bought sees its purchases, reads one again and takes them along', async ({
    skip,
  }) => {
    if (!buyer) return skip(lackOf('anvil'))
    const wallet = walletOf(buyer)
    const { page, hosts, complaints } = await open(wallet)
    await signIn(page)
    await says(page, 'Signed in.')
    expect(await page.locator('#purchases').textContent()).toBe('1')
    await page.getByText(`You are signed in as ${wallet.account.address}`).waitFor()
    expect(await page.getByRole('button', { name: 'Sign in with your wallet' }).isVisible()).toBe(false)
    expect(await page.locator('#spent').textContent()).toBe('0.001 USDC')
    const line = page.locator('#bought tr')
    expect(await line.textContent()).toMatch(
      /^Read again\d{4}-\d\d-\d\d \d\d:\d\dGET \/price\/BTC0\.001 USDC/,
    )
    const receipt = await line.getByRole('link').getAttribute('href')
    const signed = (await (await world.get(receipt ?? '')).json()) as { request: string; receipt: string }
    expect(signed).toMatchObject({ request: 'GET /price/BTC', receipt: expect.stringContaining('.') })

    const again = line.getByRole('button', { name: 'Read again' })
    const wide = page.viewportSize()
    await page.setViewportSize({ width: 390, height: 844 })
    const { x = 0, width = 0 } = (await again.boundingBox()) ?? {}
    expect([x > 0, x + width < 390]).toEqual([true, true])
    if (wide) await page.setViewportSize(wide)
    await again.click()
    await says(page, 'Here is the reply')
    expect(JSON.parse((await page.locator('#reply-text').textContent()) ?? '')).toEqual(sold)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ])
    const [head, row] = readFileSync(await file.path(), 'utf8').split('\r\n')
    expect([file.suggestedFilename(), head?.startsWith('"id","settled_at"')]).toEqual([
      'tollbook-receipts.csv',
      true,
    ])
    expect(row).toContain('"GET /price/BTC"')
    await says(page, 'Downloaded: all your purchases.')
    // A signature is good for one call, and nothing of it stays behind.
    expect(signatures(wallet)).toBe(3)
    expect(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length')).toBe(
      0,
    )
    expect([complaints, [...hosts]]).toEqual([[], [new URL(world.url).host]])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with your wallet' }).waitFor()
    expect(await page.locator('#account').isVisible()).toBe(false)
    await page.context().close()
  })

  test('by keyboard alone: older purchases come in, and the focus stays with the reader', async () => {
    const { page } = await open(createWallet())
    const total = 5
    const purchase = (n: number) => ({
      ...{ id: `p${n}`, settled_at: '2026-01-05T12:00:00.000Z', request: `GET /price/${n}` },
      ...{ amount_usdc: 0.001, reply_until: '2026-01-06T12:00:00.000Z' },
    })
    await page.route('**/account/receipts?*', (route) => {
      const offset = Number(new URL(route.request().url()).searchParams.get('offset'))
      const items = [offset, offset + 1].filter((n) => n < total).map(purchase)
      const next_offset = offset + 2 < total ? offset + 2 : null
      const account = { wallet: '0x1', purchases: total, spent_usdc: 0.005, items, next_offset }
      return route.fulfill({ json: account })
    })
    await tabTo(page, '#sign-in')
    await page.keyboard.press('Enter')
    await says(page, 'Signed in.')
    expect(await focusedText(page)).toBe('Purchases')
    await tabTo(page, '#more')
    await page.keyboard.press('Enter')
    await says(page, '4 of 5 purchases are shown.')
    expect(await page.evaluate('document.activeElement.id')).toBe('more')
    await page.keyboard.press('Enter')
    await says(page, '5 of 5 purchases are shown.')
    expect(await page.locator('#more').isVisible()).toBe(false)
    expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe('/x402/receipts/p4')
    expect(await page.locator('#bought th[scope=row]').count()).toBe(5)
    await tabTo(page, '#csv')
    await page.context().close()
  })

  test('another wallet sees none of them', async () => {
    const { page, complaints } = await open(createWallet())
    await signIn(page)
    await says(page, 'This wallet has bought nothing here.')
    expect(await page.locator('#bought tr').count()).toBe(0)
    expect(await page.getByText('Nothing was bought with this wallet.').isVisible()).toBe(true)
    expect(await page.getByRole('button', { name: 'Download as CSV' }).isVisible()).toBe(false)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('whoever signs for another wallet is told that it is no sign-in', async () => {
    const wallet = createWallet()
    wallet.finish = (signature) => signature.replace(/^0x.{8}/, '0x00000000')
    const { page } = await open(wallet)
    await signIn(page)
    await says(page, 'this is no valid sign-in')
    expect(await page.locator('#account').isVisible()).toBe(false)
    await page.context().close()
  })

  test('a declined signature is told, and the next try works', async () => {
    const wallet = createWallet()
    wallet.failures.set('personal_sign', { code: 4001, message: 'no' })
    const { page } = await open(wallet)
    await signIn(page)
    await says(page, 'You declined in your wallet.')
    await signIn(page)
    await says(page, 'Signed in.')
    await page.context().close()
  })

  test('the text names this service, and says that no money moves', async () => {
    const wallet = createWallet()
    const { page } = await open(wallet)
    await signIn(page)
    await says(page, 'Signed in.')
    const [hex] = wallet.calls.find(({ method }) => method === 'personal_sign')?.params ?? []
    const text = Buffer.from(String(hex).slice(2), 'hex').toString()
    expect(text.split('\n').slice(0, 4)).toEqual([
      `${new URL(world.url).host} wants you to sign in with your Ethereum account:`,
      wallet.account.address,
      '',
      expect.stringContaining('moves no money'),
    ])
    await page.context().close()
  })

  test('among announced wallets one is chosen by name; without any the page says what else works', async () => {
    const { page } = await openTab(browser)
    const [first, second] = [createWallet(), createWallet()]
    await announceWallet(page, first, 'First', 'a')
    await announceWallet(page, second, '<b>Second</b>', 'b')
    await page.goto(`${world.url}/account/receipts`)
    await page.getByLabel('Wallet', { exact: true }).selectOption({ label: '<b>Second</b>' })
    await signIn(page)
    await says(page, 'Signed in.')
    expect([first.calls.length, signatures(second)]).toEqual([0, 1])
    await page.context().close()

    const none = await open()
    await signIn(none.page)
    await says(none.page, 'No wallet was found in this browser.')
    expect(none.complaints).toEqual([])
    await none.page.context().close()
  })

  test('programs still get JSON, or a clear no', async () => {
    const reply = await world.get('/account/receipts', { accept: 'application/json' })
    expect([reply.status, await reply.json()]).toMatchObject([401, { detail: 'this is no valid sign-in' }])
  })
})
