import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { isChromiumMissing } from './chromium.ts'
import { button, buyAgain, describeScene, kept, open, openWithWallet, says, signatures } from './scene.ts'
import { PATH } from './shop.ts'
import { announceWallet, createWallet, injectWallet } from './wallet.ts'

const authorizationOf = (header = '') =>
  JSON.parse(Buffer.from(header, 'base64').toString()).payload.authorization

describe.skipIf(isChromiumMissing)('a wallet that misbehaves', () => {
  const scene = describeScene()

  test.each(['eth_requestAccounts', 'eth_signTypedData_v4'])(
    'that does not answer %s can be given up, and what it says later is sent to nobody',
    async (method) => {
      const { shop, tab, wallet } = scene
      wallet.silent.add(method)
      await openWithWallet(scene)
      await button(scene).click()
      await expect.poll(() => wallet.calls.at(-1)?.method).toBe(method)
      await tab.page.getByRole('button', { name: 'Stop waiting for the wallet' }).click()
      await says(scene, 'Nothing was charged.')
      wallet.silent.clear()
      wallet.answer()
      await button(scene).click()
      await says(scene, 'Paid')
      expect(shop.presented).toHaveLength(1)
    },
  )

  test('that does not answer a second purchase can be given up too', async () => {
    const { tab, wallet } = scene
    await openWithWallet(scene)
    await button(scene).click()
    await says(scene, 'Paid')
    wallet.silent.add('eth_signTypedData_v4')
    await buyAgain(scene)
    await tab.page.getByRole('button', { name: 'Stop waiting for the wallet' }).click()
    await says(scene, 'Nothing was charged.')
    expect(await tab.page.getByRole('button', { name: 'Buy again' }).getAttribute('aria-disabled')).toBe(
      'false',
    )
    wallet.answer()
  })

  test('that answers twice pays once', async () => {
    const { shop, tab, wallet } = scene
    await injectWallet(tab.page, wallet)
    await tab.page.addInitScript(`const { request } = window.ethereum
      window.ethereum.request = (call) => ({
        then: (resolve) => request(call).then((result) => [result, result].forEach(resolve)),
      })`)
    await open(scene)
    await button(scene).click()
    await says(scene, 'Paid')
    expect(shop.presented).toHaveLength(1)
  })

  test('that stays on another chain does not sign', async () => {
    const { shop, wallet } = scene
    wallet.isStuck = true
    await openWithWallet(scene)
    await button(scene).click()
    await says(scene, 'Your wallet is still on another chain: switch it to Base. Nothing was charged.')
    expect([signatures(scene), shop.presented.length]).toEqual([0, 0])
  })

  test('that changes its account before it signs is refused, and the page says why', async () => {
    const { shop, wallet } = scene
    const { address } = wallet.account
    wallet.silent.add('eth_chainId')
    shop.acts.push({ kind: 'fail', status: 402, json: { error: 'invalid_signature' } })
    await openWithWallet(scene)
    await button(scene).click()
    await expect.poll(() => wallet.calls.at(-1)?.method).toBe('eth_chainId')
    wallet.account = privateKeyToAccount(generatePrivateKey())
    wallet.silent.clear()
    wallet.answer()
    await says(scene, 'Refused and not charged: the signature does not match the payer.')
    expect([authorizationOf(shop.presented[0]).from, await kept(scene)]).toEqual([address, 0])
  })

  test('that says nonsense is told from one that works', async () => {
    const { shop, tab } = scene
    await tab.page.addInitScript(`window.replies = [null, {}, [], [7], 'text']
      window.ethereum = { request: async () => window.replies.shift() }`)
    await open(scene)
    for (let replies = 0; replies < 5; replies++) {
      await button(scene).click()
      await says(scene, 'Your wallet named no account. Nothing was charged.')
      await expect.poll(() => tab.page.evaluate('window.replies.length')).toBe(4 - replies)
    }
    for (const thrown of ['null', '7', '{}', '{ message: null }', '{ code: "toString" }']) {
      await tab.page.evaluate(`window.ethereum.request = async () => { throw ${thrown} }`)
      await button(scene).click()
      await says(scene, 'The wallet failed. Nothing was charged.')
    }
    expect(shop.presented).toEqual([])
  })

  test('that signs nothing pays nothing', async () => {
    const { shop, wallet } = scene
    wallet.finish = () => 7 as never
    await openWithWallet(scene)
    await button(scene).click()
    await says(scene, 'Your wallet returned no signature. Nothing was charged.')
    expect(shop.presented).toEqual([])
  })

  test('that announces itself oddly or often is left out, and a long name is cut', async () => {
    const { tab, wallet } = scene
    const other = createWallet()
    await announceWallet(tab.page, wallet, `<img src=x onerror=alert(1)>${'x'.repeat(500)}`, 'a')
    await announceWallet(tab.page, other, 'Twice', 'b')
    await announceWallet(tab.page, other, 'Twice', 'c')
    await tab.page.addInitScript(`addEventListener('eip6963:requestProvider', () => {
      const provider = { request: async () => [] }
      const details = [undefined, null, 7, {}, { info: null }, { info: { uuid: 1, name: 'x' }, provider },
        { info: { uuid: 'x', name: {} }, provider }, { info: { uuid: 'y', name: 'y' } },
        ...Array(100).fill({ info: { uuid: 'z', name: 'Often' }, provider })]
      for (const detail of details) dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    })`)
    await open(scene)
    const names = await tab.page.getByLabel('Wallet', { exact: true }).locator('option').allTextContents()
    expect(names).toEqual([`<img src=x onerror=alert(1)>${'x'.repeat(32)}`, 'Twice', 'Twice', 'Often'])
  })

  test('is asked once by a double click and by a key that is held down', async () => {
    const { shop, tab } = scene
    await openWithWallet(scene)
    await button(scene).dblclick()
    await says(scene, 'Paid')
    await tab.page.getByRole('button', { name: 'Done' }).click()
    await button(scene).focus()
    for (let repeats = 0; repeats < 5; repeats++) await tab.page.keyboard.down('Enter')
    await tab.page.keyboard.up('Enter')
    await says(scene, 'Paid')
    expect([signatures(scene), shop.presented.length]).toEqual([2, 2])
  })

  test.each(['2020-01-01', '2040-01-01'])(
    'beside a clock of %s signs by the clock of the service',
    async (date) => {
      const { shop, tab, wallet } = scene
      await injectWallet(tab.page, wallet)
      await tab.page.clock.install({ time: date })
      await tab.page.goto(shop.url + PATH)
      const beforeS = Date.now() / 1000
      await button(scene).click()
      await says(scene, 'Paid')
      const { validAfter, validBefore } = authorizationOf(shop.presented[0])
      expect(Number(validAfter)).toBeLessThan(beforeS)
      expect(Number(validBefore)).toBeGreaterThan(beforeS)
    },
  )
})
