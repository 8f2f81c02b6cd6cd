import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isChromiumMissing } from '../browser/chromium.ts'
import { overhangOf, violationsInBothSchemes } from './axe.ts'
import {
  CONSOLE,
  describeConsole,
  makeWorkingKey,
  openConsole,
  openSection,
  openSignedIn,
  signIn,
} from './console-scene.ts'

const SECTIONS = [
  'overview',
  'ledger',
  'usage',
  'bot',
  'hand',
  'trades',
  'decisions',
  'config',
  'tasks',
  'access',
]
const WIDE = { width: 1280, height: 720 }
const NARROW = { width: 390, height: 844 }

describe.skipIf(isChromiumMissing)('the operator console', () => {
  const scene = describeConsole()

  test('the page is the same for everybody; who sends a key gets JSON; nobody may frame or read it from elsewhere', async () => {
    const html = { accept: 'text/html', origin: 'https://elsewhere.test' }
    const page = await scene.world.get(CONSOLE, html)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
    expect([...page.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    const again = await scene.world.get(CONSOLE, html)
    expect(await again.text()).toBe(await page.text())
    const reply = await scene.world.get(CONSOLE, { ...html, authorization: `Bearer ${scene.key}` })
    expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(await reply.json()).toMatchObject({ mode: 'sandbox', bot: { broker: 'paper' } })
    expect((await scene.world.get(CONSOLE)).status).toBe(401)
  })

  test('a wrong key is refused and shows nothing', async () => {
    const { page, complaints } = await openConsole(scene)
    await signIn(page, `${scene.key}x`)
    await page.getByText('This key does not work').waitFor()
    expect(await page.locator('#console').isVisible()).toBe(false)
    await signIn(page, 'schlüssel')
    await page.getByText('A key has no spaces and no letters beyond ASCII').waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('the right key shows what the routes tell, in every section, without an error', async () => {
    const { page, hosts, complaints } = await openSignedIn(scene)
    // A book may be missing for seconds, which the section by hand then says.
    for (const name of SECTIONS.filter((each) => each !== 'hand')) {
      await openSection(page, name)
      expect([name, await page.locator(`#${name} .trouble`).textContent()]).toEqual([name, ''])
    }
    await openSection(page, 'overview')
    const { checks } = await (await scene.world.get('/health')).json().then((json) => json as { checks: [] })
    expect(await page.locator('[data-part="overview-health"] tbody tr').count()).toBe(checks.length)
    const figures = await page.locator('[data-part="overview-figures"]').textContent()
    for (const words of ['Revenue today', 'Revenue of 7 days', 'Calls today', 'sandbox'])
      expect(figures).toContain(words)
    expect(await page.locator('[data-part="overview-bot"]').textContent()).toContain(
      'paper (simulated money)',
    )
    expect([complaints, [...hosts]]).toEqual([[], [new URL(scene.world.url).host]])
    await page.context().close()
  })

  test('a payment that was refused is counted by its reason, and a call without one is not', async () => {
    const refused = await scene.world.get('/signal/btc', { 'payment-signature': 'junk' })
    const unpaid = await scene.world.get('/signal/btc?demo=0')
    expect([refused.status, unpaid.status]).toEqual([402, 402])
    const { page } = await openSignedIn(scene)
    await openSection(page, 'overview')
    const rows = page.locator('[data-part="overview-refused"] tbody tr')
    expect(await rows.allTextContents()).toEqual([expect.stringMatching(/^malformed_payment1.*base64/)])
    expect(await page.locator('[data-part="overview-figures"]').textContent()).toContain('Refused payments1')
    await page.context().close()
  })

  test('a key without the scope is told which one it needs', async () => {
    const trade = await makeWorkingKey(scene, ['trade'])
    const { page } = await openSignedIn(scene, trade.key.reveal())
    await openSection(page, 'config')
    expect(await page.locator('#config .trouble').textContent()).toContain('needs a key with the scope admin')
    expect(await page.locator('#config-form').isVisible()).toBe(false)
    await openSection(page, 'hand')
    await page.getByText('Cash, USD').waitFor()
    expect(await page.locator('form[data-act="trade.buy"]').isVisible()).toBe(true)
    await page.context().close()

    const admin = await makeWorkingKey(scene, ['admin'])
    const other = await openSignedIn(scene, admin.key.reveal())
    await openSection(other.page, 'hand')
    expect(await other.page.locator('#hand .trouble').textContent()).toContain('scope trade')
    expect(await other.page.locator('form[data-act="trade.buy"]').isVisible()).toBe(false)
    await other.page.context().close()
  })

  test('the key is sent to its own service only, stands nowhere, and is gone after signing out', async () => {
    const { page, hosts } = await openConsole(scene)
    const withKey: string[] = []
    page.on('request', (request) => {
      const { authorization = '', ...others } = request.headers()
      if (authorization.includes(scene.key)) withKey.push(new URL(request.url()).pathname)
      const rest = [request.url(), request.postData() ?? '', ...Object.values(others)].join(' ')
      expect(rest).not.toContain(scene.key)
    })
    await signIn(page, scene.key)
    await openSection(page, 'bot')
    const kept = () =>
      page.evaluate(`({
        stored: localStorage.length + sessionStorage.length + document.cookie.length,
        page: document.documentElement.outerHTML + [...document.querySelectorAll('input')].map(({ value }) => value) + location.href + history.length,
        caches: 'caches' in self ? caches.keys().then(({ length }) => length) : 0,
      })`) as Promise<{ stored: number; page: string }>
    const signedIn = await kept()
    expect([signedIn.stored, signedIn.page.includes(scene.key)]).toEqual([0, false])
    expect(withKey.length).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Operator key').waitFor()
    withKey.length = 0
    await page.goto(`${scene.world.url}${CONSOLE}#ledger`)
    await page.getByLabel('Operator key').waitFor()
    expect(await page.locator('#console').isVisible()).toBe(false)
    expect([withKey, await page.locator('[data-part="bot-state"]').textContent()]).toEqual([[], ''])
    expect([...hosts]).toEqual([new URL(scene.world.url).host])
    await page.context().close()
  })

  test('it asks again every 15 seconds while it is seen, and not while it is hidden', async () => {
    const { page } = await openConsole(scene)
    await page.clock.install()
    await page.reload()
    await signIn(page, scene.key)
    await openSection(page, 'tasks')
    let asked = 0
    page.on('requestfinished', (request) => {
      if (request.url().endsWith('/admin/taskboard')) asked++
    })
    const hide = (isHidden: boolean) =>
      page.evaluate(`
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} })
        document.dispatchEvent(new Event('visibilitychange'))`)
    const next = page.waitForResponse('**/admin/taskboard')
    await page.clock.fastForward(15_000)
    await (await next).finished()
    await hide(true)
    const before = asked
    await page.clock.fastForward(120_000)
    expect(asked).toBe(before)
    const seen = page.waitForResponse('**/admin/taskboard')
    await hide(false)
    await seen
    await page.context().close()
  })

  describe('open in one tab', () => {
    let page: Page
    beforeAll(async () => {
      page = (await openSignedIn(scene)).page
    })
    afterAll(() => page?.context().close())

    test.each(SECTIONS)('%s is accessible in both schemes and fits a telephone', async (name) => {
      await page.setViewportSize(WIDE)
      await openSection(page, name)
      const found = await violationsInBothSchemes(page)
      await page.setViewportSize(NARROW)
      expect({ ...found, overhang: await overhangOf(page) }).toEqual({ light: [], dark: [], overhang: 0 })
    })
  })

  test('so is the question before something is done', async () => {
    const { page } = await openSignedIn(scene)
    await openSection(page, 'bot')
    await page.getByRole('button', { name: 'Reset the circuit breaker…' }).click()
    expect(await violationsInBothSchemes(page)).toEqual({ light: [], dark: [] })
    await page.context().close()
  })
})
