import { describe, expect, test } from 'vitest'
import { isChromiumMissing } from './chromium.ts'
import { describeScene, open, says } from './scene.ts'

describe.skipIf(isChromiumMissing)('a free call that is left', () => {
  const scene = describeScene()
  const freeCall = () => scene.tab.page.getByRole('link', { name: 'Use a free call' })

  test('brings the reply and is counted, until none is left', async () => {
    const { shop, tab } = scene
    shop.freeCallsLeft = 2
    await open(scene)
    await freeCall().dblclick()
    await says(scene, 'Here is your reply. It cost nothing.')
    await tab.page.getByText('left today: 1 of 3').waitFor()
    await freeCall().click()
    await tab.page.getByText('left today: 0 of 3').waitFor()
    expect([await freeCall().isVisible(), shop.freeCallsLeft, shop.presented.length]).toEqual([false, 0, 0])
  })

  test('that another tab has used is told', async () => {
    const { shop } = scene
    shop.freeCallsLeft = 1
    await open(scene)
    shop.freeCallsLeft = 0
    await freeCall().click()
    await says(scene, 'No free call is left for you today.')
    expect(await freeCall().isVisible()).toBe(false)
  })

  test.each([
    ['the service', { 'x-tollbook-mode': 'sandbox' }, 503, 'No free call was used.'],
    ['a gateway', {}, 504, 'A free call may have been used.'],
    ['a gateway with a plan', {}, 402, 'A free call may have been used.'],
  ])('that fails at %s is told as used only where that is not known', async (_, headers, status, text) => {
    const { shop, tab } = scene
    shop.freeCallsLeft = 2
    await open(scene)
    await tab.page.route('**/harbours/**', (route) => route.fulfill({ status, headers, json: {} }))
    await freeCall().click()
    await says(scene, text)
    expect(await freeCall().isVisible()).toBe(true)
  })
})
