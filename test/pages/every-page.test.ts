import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keepPastWindows } from '../../src/testing/record/past-windows.ts'
import { startWorld, type World } from '../../src/testing/world.ts'
import { isChromiumMissing, launchChromium, openTab } from '../browser/chromium.ts'
import { PAGES, SAYINGS } from './addresses.ts'
import { overhangOf, violationsInBothSchemes } from './axe.ts'

const WEIGHT_LIMIT_BYTES = 150_000
const WINDOWS = 60
const NARROW = { width: 390, height: 844 }
/** What 200 % zoom leaves of a window of 1280. */
const ZOOMED = { width: 640, height: 400 }

async function sizeOf(request: Request): Promise<number> {
  const { responseBodySize, responseHeadersSize } = await request.sizes()
  return responseBodySize + responseHeadersSize
}

describe.skipIf(isChromiumMissing)('in a browser', () => {
  let dataDir: string
  let world: World
  let browser: Browser
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'tollbook-'))
    // Enough for every part of the pages about the record.
    await keepPastWindows(dataDir, WINDOWS)
    world = await startWorld({ TOLLBOOK_DATA_DIR: dataDir })
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await world?.[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test.each(PAGES)('%s is accessible in both schemes, fits, is light and stays with us', async (path) => {
    const { page, hosts, complaints } = await openTab(browser)
    const sizes: Promise<number>[] = []
    page.on('requestfinished', (request) => sizes.push(sizeOf(request)))
    await page.goto(world.url + path)
    await page.waitForLoadState('load')
    const found: Record<string, unknown> = await violationsInBothSchemes(page)
    for (const size of [NARROW, ZOOMED]) {
      await page.setViewportSize(size)
      found[size.width] = await overhangOf(page)
    }
    expect(found).toEqual({ light: [], dark: [], 390: 0, 640: 0 })
    expect((await Promise.all(sizes)).reduce((sum, size) => sum + size)).toBeLessThan(WEIGHT_LIMIT_BYTES)
    expect([...hosts]).toEqual([new URL(world.url).host])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('every page of the sitemap has its Markdown, and every page links those that live', async () => {
    const xml = await (await world.get('/sitemap.xml')).text()
    const paths = [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname)
    const types = await Promise.all(
      paths.map(async (path) => (await world.get(`${path}.md`)).headers.get('content-type')),
    )
    expect(new Set(types)).toEqual(new Set(['text/markdown; charset=utf-8']))
    const home = await (await world.get('/', { accept: 'text/html' })).text()
    for (const path of ['/proof', '/status', '/scalper', '/x402/analytics'])
      expect(home).toContain(`href="${path}"`)
  })

  test.each(SAYINGS)('%s says what it has to say without scripts', async (path, says) => {
    const { page } = await openTab(browser, { javaScriptEnabled: false })
    await page.goto(world.url + path)
    expect(await page.locator('h1').count()).toBe(1)
    // biome-ignore lint/performance/useDomNodeTextContent: what is hidden says nothing
    const seen = await page.locator('main').innerText()
    expect(says.filter((words) => !seen.includes(words))).toEqual([])
    await page.context().close()
  })
})
