import { describe, expect, test } from 'vitest'
import { isChromiumMissing } from './chromium.ts'
import {
  button,
  buyAgain,
  describeScene,
  kept,
  open,
  openWithWallet,
  reply,
  says,
  signatures,
} from './scene.ts'
import { PATH, REPLY } from './shop.ts'
import { createWallet, injectWallet } from './wallet.ts'

const TEXT = JSON.stringify(REPLY, null, 2)
const USED = { code: 'payment_already_used', title: 'That payment has been used already' }

describe.skipIf(isChromiumMissing)('a reply that was paid for', () => {
  const scene = describeScene()
  const press = (name: string) => scene.tab.page.getByRole('button', { name }).click()

  async function buy(): Promise<void> {
    await openWithWallet(scene)
    await button(scene).click()
    await says(scene, 'Paid')
  }

  test('comes again after a reload, by the same payment and without the wallet', async () => {
    const { shop, tab } = scene
    await buy()
    for (let reloads = 0; reloads < 2; reloads++) {
      await tab.page.reload()
      await says(scene, 'You bought this before: here is the same reply, not charged again.')
      expect(await reply(scene).textContent()).toBe(TEXT)
    }
    expect([shop.presented.length, new Set(shop.presented).size, signatures(scene)]).toEqual([3, 1, 1])
  })

  test('is let go with Done, and the page is as before', async () => {
    const { shop, tab } = scene
    await buy()
    await press('Done')
    await button(scene).waitFor()
    expect([await kept(scene), await reply(scene).count()]).toEqual([0, 0])
    await tab.page.reload()
    await button(scene).waitFor()
    expect(shop.presented).toHaveLength(1)
  })

  test('is bought again only after a question, and the new one takes its place', async () => {
    const { shop, tab } = scene
    await buy()
    await press('Buy again')
    await tab.page.getByText('A new one costs $0.0125 again.').waitFor()
    await tab.page.keyboard.press('Enter')
    expect([signatures(scene), await reply(scene).textContent()]).toEqual([1, TEXT])
    shop.acts.push({ kind: 'deliver', json: { name: 'new' } })
    await buyAgain(scene)
    await reply(scene).filter({ hasText: '"new"' }).waitFor()
    expect([await kept(scene), new Set(shop.presented).size]).toEqual([1, 2])
  })

  test('stays where buying again fails', async () => {
    const { shop, tab, wallet } = scene
    await buy()
    wallet.failures.set('eth_signTypedData_v4', { code: 4001, message: '' })
    await buyAgain(scene)
    await says(scene, 'You declined')
    shop.acts.push({ kind: 'fail', status: 402, json: { error: 'insufficient_funds' } })
    await buyAgain(scene)
    await says(scene, 'Refused and not charged')
    expect([await kept(scene), await reply(scene).textContent()]).toEqual([1, TEXT])
    await tab.page.reload()
    await says(scene, 'You bought this before')
    expect(shop.presented.at(-1)).toBe(shop.presented[0])
  })

  test('is gone after its day, and the page says so', async () => {
    const { shop, tab } = scene
    await buy()
    shop.acts.push({ kind: 'fail', status: 409, json: USED })
    await tab.page.reload()
    await says(scene, 'was kept for 24 hours and is gone. You can pay again.')
    expect(await kept(scene)).toBe(0)
  })

  test('is shown in a second tab, which pays nothing', async () => {
    const { shop, tab } = scene
    await buy()
    const second = await tab.page.context().newPage()
    await open(scene, second)
    await second.getByText('You bought this before').waitFor()
    expect([signatures(scene), new Set(shop.presented).size]).toEqual([1, 1])
  })

  test('is not bought twice by two tabs that were open before', async () => {
    const { shop, tab } = scene
    const second = await tab.page.context().newPage()
    await injectWallet(second, scene.wallet)
    await open(scene, second)
    await buy()
    await second.getByRole('button', { name: 'Pay with wallet' }).click()
    await second.getByText('You bought this before').waitFor()
    expect([signatures(scene), new Set(shop.presented).size]).toEqual([1, 1])
  })

  test('is not bought twice by two tabs whose wallets were asked at the same time', async () => {
    const { shop, tab } = scene
    const slow = createWallet()
    slow.silent.add('eth_signTypedData_v4')
    const second = await tab.page.context().newPage()
    await injectWallet(second, slow)
    await open(scene, second)
    await second.getByRole('button', { name: 'Pay with wallet' }).click()
    await expect.poll(() => slow.calls.at(-1)?.method).toBe('eth_signTypedData_v4')
    await buy()
    slow.answer()
    await second.getByText('You bought this before').waitFor()
    expect(new Set(shop.presented).size).toBe(1)
  })

  test('is followed by an older one, once it is done', async () => {
    const { shop, tab } = scene
    await tab.page.addInitScript(`for (const [atMs, id] of ['older', 'newer'].entries())
      localStorage.setItem('x402 ${shop.url}${PATH} ' + id, JSON.stringify({ id, header: id, isPaid: true, atMs }))`)
    await openWithWallet(scene)
    await says(scene, 'You bought this before')
    await press('Done')
    await expect.poll(() => shop.presented).toEqual(['newer', 'older'])
  })

  test('what others wrote into the storage is left alone', async () => {
    const { shop, tab } = scene
    await tab.page.addInitScript(`for (const [at, text] of ['{', 'null', '[]', '{"header":1}'].entries())
      localStorage.setItem('x402 ${shop.url}${PATH} ' + at, text)`)
    await buy()
    expect(shop.presented).toHaveLength(1)
  })

  test('without storage buying works, and the page says that nothing outlives it', async () => {
    const { shop, tab } = scene
    await tab.page.addInitScript(`Object.defineProperty(window, 'localStorage', {
      get() { throw new DOMException('denied', 'SecurityError') },
    })`)
    await buy()
    await tab.page.getByText('This browser does not let pages keep anything').waitFor()
    await buyAgain(scene)
    await expect.poll(() => shop.presented.length).toBe(2)
    await says(scene, 'Paid')
    expect(new Set(shop.presented).size).toBe(2)
  })

  test('with storage the page says what it keeps', async () => {
    await buy()
    await scene.tab.page.getByText('This browser keeps the payment').waitFor()
  })
})
