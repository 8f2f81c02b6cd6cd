import { describe, expect, test } from 'vitest'
import { isChromiumMissing } from './chromium.ts'
import { button, describeScene, kept, notes, openWithWallet, says, signatures, status } from './scene.ts'
import type { Act } from './shop.ts'

const MISSING = {
  code: 'unknown_token',
  title: 'That token is not known',
  detail: 'NOPE is not a token we price',
}
const refuse = (status: number, json: unknown = MISSING): Act => ({ kind: 'fail', status, json })

describe.skipIf(isChromiumMissing)('an answer that will not change by asking again', () => {
  const scene = describeScene()

  test.each([400, 401, 403, 404, 405, 410, 413, 414, 415, 422, 431, 451])(
    'a %i of the service is shown, nothing was charged, and the payment is let go',
    async (code) => {
      const { shop, tab } = scene
      shop.acts.push(refuse(code))
      await openWithWallet(scene)
      await button(scene).click()
      await says(scene, 'That token is not known: NOPE is not a token we price. Nothing was charged.')
      await tab.page.clock.runFor(120_000)
      expect([shop.presented.length, await kept(scene)]).toEqual([1, 0])
      expect(await button(scene).getAttribute('aria-disabled')).toBe('false')
    },
  )

  test('wrong params are named', async () => {
    const { shop } = scene
    shop.acts.push(refuse(422, { detail: [{ loc: ['query', 'unit'], msg: 'must be cm or ft' }] }))
    await openWithWallet(scene)
    await button(scene).click()
    await says(scene, 'must be cm or ft. Nothing was charged.')
  })

  test.each([
    [403, 'blocked'],
    [409, { code: 'payment_already_used' }],
  ])(
    'a %i of somebody in between decides nothing: the payment is kept, and sent again only when asked',
    async (code, json) => {
      const { shop, tab } = scene
      shop.acts.push({ kind: 'fail', status: code, json, isForeign: true })
      await openWithWallet(scene)
      await button(scene).click()
      await says(
        scene,
        `The service answered ${code}. It is not certain whether your payment went through, so it is kept`,
      )
      await tab.page.clock.runFor(120_000)
      expect([shop.presented.length, await kept(scene)]).toEqual([1, 1])
      await tab.page.getByRole('button', { name: 'Try again' }).click()
      await says(scene, 'Paid')
      expect([new Set(shop.presented).size, signatures(scene)]).toEqual([1, 1])
    },
  )

  test('after a try whose answer was lost it is not certain either', async () => {
    const { shop, tab } = scene
    shop.acts.push({ kind: 'drop' }, refuse(404))
    await openWithWallet(scene)
    await button(scene).click()
    await notes(scene, 'sent again in 3 s')
    await tab.page.clock.runFor(3000)
    await says(scene, 'It is not certain whether your payment went through')
    expect(await kept(scene)).toBe(1)
  })

  test('a payment that is kept can be let go, after a question', async () => {
    const { shop, tab } = scene
    shop.acts.push({ kind: 'fail', status: 404, json: null, isForeign: true })
    await openWithWallet(scene)
    await button(scene).click()
    await says(scene, 'It is not certain')
    const letGo = tab.page.getByRole('button', { name: 'Let go of the payment' })
    await letGo.click()
    await tab.page.keyboard.press('Enter')
    expect(await kept(scene)).toBe(1)
    await letGo.click()
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Let go of it' }).click()
    await button(scene).waitFor()
    expect([await kept(scene), shop.presented.length]).toEqual([0, 1])
    expect(await status(scene).textContent()).toBe('')
  })
})
