import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choosePort } from '../../src/http/listen.ts'
import { startWorld, type World } from '../../src/testing/world.ts'
import { isChromiumMissing, launchChromium, openTab } from '../browser/chromium.ts'

const SLOW_MS = 120_000

let world: World
beforeAll(async () => {
  // The port stays the same over a restart, as it does for visitors.
  world = await startWorld({ PORT: String(await choosePort('127.0.0.1', 0)) })
})
afterAll(() => world?.[Symbol.asyncDispose]())

const EVENTS = '/api/scalper/events'
const openStream = async (headers: Record<string, string> = {}) => {
  const end = new AbortController()
  const reply = await fetch(world.url + EVENTS, { headers, signal: end.signal })
  return { reply, end }
}

describe('GET /api/scalper/events', () => {
  test('an eleventh stream of one client is refused in words, and there is room again when one has gone', async () => {
    const streams = await Promise.all(Array.from({ length: 10 }, () => openStream()))
    expect(streams.map(({ reply }) => reply.status)).toEqual(Array(10).fill(200))
    const { reply } = await openStream()
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '5'])
    expect(await reply.json()).toMatchObject({
      detail: 'at most 10 streams from one client at a time',
      hint: 'close one first',
    })
    for (const { end } of streams) end.abort()
    const isFree = async () => {
      const again = await openStream()
      again.end.abort()
      return again.reply.status === 200
    }
    await expect.poll(isFree, { timeout: SLOW_MS }).toBe(true)
  })

  test.each(['application/json', 'text/html', 'image/*;q=0', ',;;', 'x/'.repeat(50)])(
    'Accept: %s gets events too',
    async (accept) => {
      const { reply, end } = await openStream({ accept })
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
      end.abort()
    },
  )

  test('HEAD has no body and takes no place; another method is refused with those that work', async () => {
    for (let n = 0; n < 15; n++) {
      const head = await world.send('HEAD', EVENTS)
      expect([head.status, await head.text()]).toEqual([200, ''])
    }
    for (const method of ['POST', 'PUT', 'DELETE'])
      for (const path of [EVENTS, '/scalper']) {
        const reply = await world.send(method, path)
        expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
      }
  })
})

describe('GET /scalper', () => {
  test('is HTML for everybody, compressed, with a policy that allows nothing inline', async () => {
    for (const accept of ['*/*', 'application/json', 'text/html', 'nonsense']) {
      const reply = await world.get('/scalper', { accept, 'accept-encoding': 'br' })
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(reply.headers.get('content-encoding')).toBe('br')
      expect(reply.headers.get('content-security-policy')).toContain("default-src 'self'")
      expect(await reply.text()).not.toMatch(/ style=| on\w+=|<style/)
    }
    const head = await world.send('HEAD', '/scalper')
    expect([head.status, await head.text()]).toEqual([200, ''])
  })
})

describe.skipIf(isChromiumMissing)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  const figure = (page: Page, name: string) => page.locator(`[data-figure="${name}"] dd`)
  const connection = (page: Page, text: string) =>
    page.locator('[data-connection]').filter({ hasText: text }).waitFor({ timeout: SLOW_MS })
  const changed = (page: Page, name: string, from: string | null) =>
    expect.poll(() => figure(page, name).textContent(), { timeout: SLOW_MS }).not.toBe(from)

  type Colour = readonly [red: number, green: number, blue: number]
  /** A colour of the style sheet, as the scheme of the page has it. */
  const colourOf = (page: Page, name: string) =>
    page.evaluate(`{
      const probe = document.body.appendChild(document.createElement('span'))
      probe.style.color = 'var(--${name})'
      const { color } = getComputedStyle(probe)
      probe.remove()
      color.match(/\\d+/g).map(Number)
    }`) as Promise<Colour>
  /** Whether the line of prices has it: lines have soft edges, and their middle is of the colour. */
  const isDrawnIn = (page: Page, colour: Colour) =>
    page.evaluate(`[...document.querySelectorAll('[data-plot="price"] canvas')].some((canvas) => {
      if (canvas.width === 0 || canvas.height === 0) return false
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
      for (let at = 0; at < data.length; at += 4)
        if (data[at + 3] > 250 && ${JSON.stringify(colour)}.every((value, n) => Math.abs(data[at + n] - value) <= 3)) return true
      return false
    })`)

  test('values change by themselves, the server may go away, and they change again', async () => {
    const { page, complaints, hosts } = await openTab(browser)
    await page.goto(`${world.url}/scalper`)
    await connection(page, 'Live')
    await changed(page, 'left', await figure(page, 'left').textContent())
    await changed(page, 'price', await figure(page, 'price').textContent())
    expect(await page.locator('[data-plot="price"] canvas').count()).toBeGreaterThan(0)
    const restarted = world.restart()
    const followed = page.locator('[data-followed]')
    await connection(page, 'Reconnecting')
    expect(await page.locator('[data-connection]').textContent()).toMatch(/Last seen \d\d:\d\d:\d\d UTC$/)
    expect(await followed.getAttribute('class')).toBe('old')
    await restarted
    await connection(page, 'Live')
    expect(await followed.getAttribute('class')).toBe('')
    await changed(page, 'left', await figure(page, 'left').textContent())
    // The browser itself notes the connection that was lost.
    expect(complaints.filter((text) => !text.includes('net::ERR'))).toEqual([])
    expect([...hosts]).toEqual([new URL(world.url).host])
    await page.context().close()
  })

  test('without scripts nothing is called live, and no card is empty', async () => {
    const { page } = await openTab(browser, { javaScriptEnabled: false })
    await page.goto(`${world.url}/scalper`)
    // biome-ignore lint/performance/useDomNodeTextContent: what is hidden says nothing
    expect(await page.locator('main').innerText()).not.toMatch(/\blive\b/i)
    for (const card of await page.locator('.plotted').all())
      expect(await card.isVisible()).toBe((await card.locator('tbody tr').count()) > 0)
    await page.context().close()
  })

  test('what a chart shows is there as a table, opened by keyboard and kept up to date', async () => {
    const { page } = await openTab(browser)
    await page.goto(`${world.url}/scalper`)
    await connection(page, 'Live')
    await page.locator('summary').first().focus()
    await page.keyboard.press('Enter')
    const newest = page.locator('[data-table="price"] tbody tr').first()
    const before = await newest.textContent()
    await expect.poll(() => newest.textContent(), { timeout: SLOW_MS }).not.toBe(before)
    await page.context().close()
  })

  test('a tab that nobody sees for a minute lets go of its connection, and comes back', async () => {
    const { page } = await openTab(browser)
    await page.clock.install()
    await page.goto(`${world.url}/scalper`)
    await connection(page, 'Live')
    const hide = (isHidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))`)
    await hide(true)
    await page.clock.fastForward(60_000)
    await connection(page, 'Paused')
    await hide(false)
    await connection(page, 'Live')
    await page.context().close()
  })

  test('charts take the colours of the scheme', async () => {
    const { page } = await openTab(browser, { colorScheme: 'light' })
    await page.goto(`${world.url}/scalper`)
    await connection(page, 'Live')
    const light = await colourOf(page, 'brand')
    await expect.poll(() => isDrawnIn(page, light), { timeout: SLOW_MS }).toBe(true)
    await page.emulateMedia({ colorScheme: 'dark' })
    const dark = await colourOf(page, 'brand')
    expect(dark).not.toEqual(light)
    await expect.poll(() => isDrawnIn(page, dark), { timeout: SLOW_MS }).toBe(true)
    expect(await isDrawnIn(page, light)).toBe(false)
    await page.context().close()
  })

  test('without scripts the page says where things stood', async () => {
    const { page } = await openTab(browser, { javaScriptEnabled: false })
    await page.goto(`${world.url}/scalper`)
    expect(await figure(page, 'price').textContent()).toMatch(/^\$[\d,]+\.\d\d/)
    expect(await page.locator('[data-connection]').textContent()).toMatch(/^As of \d\d:\d\d:\d\d UTC$/)
    await page.locator('summary').first().click()
    expect(await page.locator('[data-table="price"] tbody tr').count()).toBeGreaterThan(0)
    expect(await page.locator('.plot').first().isVisible()).toBe(false)
    await page.context().close()
  })
})
