import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { free } from '../../src/catalog/access.ts'
import { defineEndpoint } from '../../src/catalog/endpoints/endpoint.ts'
import { groupOf } from '../../src/testing/catalog/group-of.ts'
import { type Served, serveGroup } from '../../src/testing/http/serve-groups.ts'
import { isChromiumMissing, launchChromium, openTab } from '../browser/chromium.ts'
import { overhangOf, violationsInBothSchemes } from './axe.ts'

const SECRET = 'the ledger is at /secret/place'
const broken = defineEndpoint({
  id: 'test.broken',
  method: 'GET',
  path: '/broken',
  access: free,
  summary: 'Fails',
  description: 'Fails, whatever it is asked.',
  params: z.object({}),
  sample: {},
  response: z.object({ seconds: z.int() }),
  example: { seconds: 1 },
  handle: (): { seconds: number } => {
    throw new Error(SECRET)
  },
})

describe.skipIf(isChromiumMissing)('a fault of ours in a browser', () => {
  let browser: Browser
  let served: Served
  beforeAll(async () => {
    served = await serveGroup(groupOf(broken), {} as never)
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await served?.close()
  })

  test('is a page that names the request and a way on, and nothing of the fault', async () => {
    const { page, hosts, complaints } = await openTab(browser, { viewport: { width: 390, height: 844 } })
    const reply = await page.goto(`${served.url}/broken`)
    expect(reply?.status()).toBe(500)
    const requestId = reply?.headers()['x-request-id']
    expect(requestId).toMatch(/\S/)
    const main = page.locator('main')
    expect(await main.getByRole('heading', { level: 1 }).textContent()).toMatch(/\S/)
    expect(await main.locator('code').textContent()).toBe(requestId)
    expect(await page.content()).not.toContain('secret')
    expect([await violationsInBothSchemes(page), await overhangOf(page)]).toEqual([
      { light: [], dark: [] },
      0,
    ])
    await main.getByRole('link', { name: 'Home' }).waitFor()
    expect([complaints, [...hosts]]).toEqual([[], [new URL(served.url).host]])
    await page.context().close()
  })

  test('is JSON for programs', async () => {
    const { status, headers, body } = await served.ask('GET', '/broken')
    expect([status, headers['content-type']]).toEqual([500, 'application/problem+json; charset=utf-8'])
    expect(body).not.toContain('secret')
  })
})
