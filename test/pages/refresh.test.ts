import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/core/time/clock.ts'
import { DAY_MS } from '../../src/core/time/time.ts'
import { createMarket } from '../../src/market/market.ts'
import { serviceGroup } from '../../src/products/service/group.ts'
import type { HealthCheck, ServiceServices } from '../../src/products/service/services.ts'
import { type Served, serveGroup } from '../../src/testing/http/serve-groups.ts'
import { sampleDay, sampleIncident } from '../../src/testing/ledger/uptime/sample-uptime.ts'
import { isChromiumMissing, launchChromium, openTab } from '../browser/chromium.ts'

const TODAY = Math.floor(systemClock.now() / DAY_MS)
const WELL: HealthCheck = {
  name: 'oracle',
  state: 'ok',
  needed: true,
  latencyMs: 1,
  ageMs: 1,
  detail: 'well',
}
/** Until then the page has asked again. */
const REFRESH_MS = 31_000

const days = [sampleDay({ day: TODAY, ok: 5, down: 1 })]
const parts = ['service', 'oracle'].map((name) => ({ name, days }))
const incidents = [sampleIncident({ beganMs: Date.UTC(2026, 0, 5, 3), endedMs: Date.UTC(2026, 0, 5, 20) })]

describe.skipIf(isChromiumMissing)('a page that lives', () => {
  let browser: Browser
  let served: Served
  let check = WELL
  let asked = 0
  const services: ServiceServices = {
    clock: systemClock,
    market: createMarket({ clock: systemClock }),
    health: async () => {
      asked++
      return { state: check.state === 'down' ? 'down' : 'ok', checks: [check] }
    },
    uptime: () => ({ fromDay: TODAY, toDay: TODAY, measuredMs: systemClock.now(), parts, incidents }),
    about: { mode: 'sandbox', version: '2.0.0', startedAtMs: 0 },
    wallets: undefined,
    signPlayPayment: undefined,
  }
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    check = WELL
    served = await serveGroup(serviceGroup, services)
    return async () => {
      await served.close()
    }
  })

  async function open(): Promise<{ page: Page; complaints: string[] }> {
    const { page, complaints } = await openTab(browser, { timezoneId: 'Asia/Tokyo' })
    await page.clock.install()
    await page.addInitScript(
      'globalThis.isHidden = false; Object.defineProperty(document, "hidden", { get: () => isHidden })',
    )
    await page.goto(`${served.url}/status`)
    return { page, complaints }
  }
  const headline = (page: Page) => page.locator('h1')

  test('shows what has changed, and keeps what is open and where the visitor is', async () => {
    const { page, complaints } = await open()
    expect(await headline(page).textContent()).toContain('All systems are working')
    const summary = page.locator('#days-oracle > summary')
    await summary.click()
    await summary.focus()
    check = { ...WELL, state: 'down' }
    // The reply of the second in which the page was loaded is kept until the next.
    await expect.poll(async () => (await served.ask('GET', '/status')).body).toContain('"status":"down"')
    await page.clock.runFor(REFRESH_MS)
    await headline(page).getByText('The service is down').waitFor()
    expect(await page.locator('#days-oracle').getAttribute('open')).not.toBeNull()
    expect(await page.evaluate('document.activeElement.parentElement.id')).toBe('days-oracle')
    expect(await page.locator('#days-service').getAttribute('open')).toBeNull()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('asks nothing while nobody looks, and asks when somebody does again', async () => {
    const { page } = await open()
    await page.evaluate('globalThis.isHidden = true')
    asked = 0
    await page.clock.runFor(10 * REFRESH_MS)
    expect(asked).toBe(0)
    check = { ...WELL, state: 'down' }
    await expect.poll(async () => (await served.ask('GET', '/status')).body).toContain('"status":"down"')
    await page.evaluate('globalThis.isHidden = false; document.dispatchEvent(new Event("visibilitychange"))')
    await headline(page).getByText('The service is down').waitFor()
    await page.context().close()
  })

  test('says when nobody answers, and goes on showing what it has', async () => {
    const { page } = await open()
    await page.context().setOffline(true)
    await page.clock.runFor(REFRESH_MS)
    await page.getByText('did not answer').waitFor()
    expect(await headline(page).textContent()).toContain('All systems are working')
    await page.context().setOffline(false)
    await page.clock.runFor(REFRESH_MS)
    await page.getByText('did not answer').waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('has the time of the visitor beside UTC, also after it was refreshed', async () => {
    const { page } = await open()
    const shown = async () =>
      (await page.locator('.incidents li p').first().textContent())?.replaceAll('\u202f', ' ')
    const told =
      /^2026-01-05 03:00 UTC \(12:00\D* here\) to 2026-01-05 20:00 UTC \(Jan 6, 2026, 5:00 AM here\)/
    expect(await shown()).toMatch(told)
    await page.evaluate('document.querySelector("h1").id = "old"')
    await page.clock.runFor(REFRESH_MS)
    await page.locator('#old').waitFor({ state: 'detached' })
    expect(await shown()).toMatch(told)
    await page.context().close()
  })
})
