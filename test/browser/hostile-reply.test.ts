import { describe, expect, test } from 'vitest'
import { isChromiumMissing } from './chromium.ts'
import { button, describeScene, openWithWallet, reply, says } from './scene.ts'

describe.skipIf(isChromiumMissing)('a reply that is hard to show', () => {
  const scene = describeScene()

  test('of two megabytes is shown in part, and copied and saved whole', async () => {
    const { shop, tab } = scene
    await tab.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const json = { rows: Array.from({ length: 20_000 }, (_, at) => `${at} ${'x'.repeat(100)}`) }
    const whole = JSON.stringify(json, null, 2)
    shop.acts.push({ kind: 'deliver', json })
    await openWithWallet(scene)
    await button(scene).click()
    await says(scene, 'Paid')
    await tab.page.getByText(`Shown are the first 200000 of ${whole.length} characters.`).waitFor()
    expect((await reply(scene).textContent())?.length).toBe(200_000)
    await tab.page.getByRole('button', { name: 'Copy' }).first().click()
    await tab.page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await tab.page.evaluate('navigator.clipboard.readText()')).toBe(whole)
    const download = tab.page.waitForEvent('download')
    await tab.page.getByRole('link', { name: 'Save as a file' }).click()
    expect((await download).suggestedFilename()).toBe('reply.json')
  })

  test('a problem with markup stays text', async () => {
    const { shop, tab } = scene
    const title = '<img src=x onerror="window.broken = 3">'
    shop.acts.push({ kind: 'fail', status: 404, json: { title, detail: 'x'.repeat(10_000) } })
    await openWithWallet(scene)
    await button(scene).click()
    await says(scene, title)
    expect(await tab.page.evaluate('window.broken')).toBeUndefined()
    expect((await tab.page.getByRole('status').textContent())?.length).toBeLessThan(400)
  })
})
