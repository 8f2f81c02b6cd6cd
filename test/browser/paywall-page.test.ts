import { describe, expect, test } from 'vitest'
import { isChromiumMissing, openTab } from './chromium.ts'
import { button, describeScene, open, openWithWallet, says, signatures } from './scene.ts'
import { PATH, PAY_TO, REPLY, TRANSACTION } from './shop.ts'
import { announceWallet, createWallet, injectWallet } from './wallet.ts'

describe.skipIf(isChromiumMissing)('the paywall page itself in Chromium', () => {
  const scene = describeScene()

  test('announced wallets can be chosen by name', async () => {
    const { tab, wallet } = scene
    const other = createWallet()
    await announceWallet(tab.page, other, 'Other', 'a')
    await announceWallet(tab.page, wallet, '<b>Mine</b>', 'b')
    await open(scene)
    await tab.page.getByLabel('Wallet', { exact: true }).selectOption({ label: '<b>Mine</b>' })
    await button(scene).click()
    await says(scene, 'Paid')
    expect([other.calls.length, signatures(scene)]).toEqual([0, 1])
  })

  test('one announced wallet is taken without a question', async () => {
    const { tab, wallet } = scene
    await announceWallet(tab.page, wallet, 'Mine', 'a')
    await open(scene)
    expect(await tab.page.locator('#wallets').isVisible()).toBe(false)
    await button(scene).click()
    await says(scene, 'Paid')
  })

  test('without a wallet the page says so', async () => {
    const { shop } = scene
    await open(scene)
    await button(scene).click()
    await says(scene, 'No wallet was found in this browser.')
    expect(shop.presented).toEqual([])
  })

  test('everything works from the keyboard, with the focus where the next step is', async () => {
    const { tab, wallet } = scene
    await tab.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await openWithWallet(scene)
    const focused = () => tab.page.evaluate('document.activeElement.id')
    for (let presses = 0; presses < 25 && (await focused()) !== 'pay'; presses++)
      await tab.page.keyboard.press('Tab')
    wallet.failures.set('eth_signTypedData_v4', { code: 4001, message: '' })
    await tab.page.keyboard.press('Enter')
    await says(scene, 'You declined')
    expect(await focused()).toBe('pay')
    await tab.page.keyboard.press('Space')
    await says(scene, 'Paid')
    const focusedText = () => tab.page.evaluate('document.activeElement.textContent')
    expect(await focusedText()).toBe('Your reply')
    // The reply itself can be scrolled by keys; its button comes next.
    await tab.page.keyboard.press('Tab')
    expect(await focusedText()).toBe(JSON.stringify(REPLY, null, 2))
    await tab.page.keyboard.press('Tab')
    expect(await focusedText()).toBe('Copy')
    await tab.page.keyboard.press('Enter')
    await tab.page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await tab.page.evaluate('navigator.clipboard.readText()')).toBe(JSON.stringify(REPLY, null, 2))
  })

  test('its policy stops scripts that are not ours and requests to other hosts', async () => {
    const { tab } = scene
    await open(scene)
    const violated = await tab.page.evaluate(`new Promise((resolve) => {
      const seen = []
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        seen.push(effectiveDirective)
        if (seen.length === 3) resolve([...seen, window.broken])
      })
      const script = document.createElement('script')
      script.textContent = 'window.broken = 2'
      document.body.append(script)
      const style = document.createElement('style')
      style.textContent = 'body { color: red }'
      document.body.append(style)
      fetch('http://127.0.0.1:9/').catch(() => {})
    })`)
    expect(violated).toEqual(['script-src-elem', 'style-src-elem', 'connect-src', undefined])
    expect(tab.complaints.splice(0)).toHaveLength(4)
  })

  test('without script it still says how to pay', async () => {
    const { browser, shop, tab } = scene
    const plain = await openTab(browser, { javaScriptEnabled: false })
    await plain.page.goto(shop.url + PATH)
    await tab.page.goto(shop.url + PATH)
    expect(await plain.page.getByText('Paying here needs JavaScript').isVisible()).toBe(true)
    expect(await plain.page.getByRole('button').count()).toBe(0)
    expect(await plain.page.getByText(`curl -i -H 'X-Demo: off' '${shop.url}${PATH}'`).isVisible()).toBe(true)
    expect(await plain.page.getByText('$0.0125', { exact: true }).isVisible()).toBe(true)
    await plain.page.context().close()
  })

  test('no line is wider than a small phone, and dark mode is dark', async () => {
    const { browser, tab, wallet } = scene
    const phone = await openTab(browser, { viewport: { width: 320, height: 640 }, colorScheme: 'dark' })
    await injectWallet(phone.page, wallet)
    await open(scene, phone.page)
    await open(scene)
    await phone.page.getByText('Pay from a program').click()
    await phone.page.getByRole('button', { name: 'Pay with wallet' }).click()
    await phone.page.getByText(TRANSACTION).waitFor()
    expect(await phone.page.evaluate('document.scrollingElement.scrollWidth')).toBe(320)
    const background = 'getComputedStyle(document.body).backgroundColor'
    expect(await phone.page.evaluate(background)).toBe('rgb(10, 22, 25)')
    expect(await tab.page.evaluate(background)).toBe('rgb(245, 248, 247)')
    await phone.page.context().close()
  })

  test('what a reader sees names no address to send money to', async () => {
    const { tab } = scene
    await open(scene)
    expect(await tab.page.evaluate('document.body.innerText')).not.toContain(PAY_TO.slice(0, 12))
    expect(await tab.page.evaluate('window.broken')).toBeUndefined()
  })
})
