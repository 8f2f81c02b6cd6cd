import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createManualClock } from '../../src/core/time/manual-clock.ts'
import { MINUTE_MS } from '../../src/core/time/time.ts'
import { dataBlock, type Html, html, trusted } from '../../src/pages/frame/html.ts'
import { createChatGroup } from '../../src/products/chat/group.ts'
import { communityGroup } from '../../src/products/community/group.ts'
import { createChatWorld } from '../../src/testing/community/chat-world.ts'
import { XSS_CORPUS } from '../../src/testing/community/xss-corpus.ts'
import { type Served, serveGroup } from '../../src/testing/http/serve-groups.ts'
import { createMemoryDisk, createMemoryStore } from '../../src/testing/ledger/memory-store.ts'
import { lackOf } from '../../src/testing/missing.ts'
import { isChromiumMissing, launchChromium, openTab } from '../browser/chromium.ts'

const PAGE = 'http://page.test/'
const CANARY = `${PAGE}canary`
const AUTHOR_CHARS = 32
const SLOW_MS = 100_000

/** Stands last and comes alive by the most common way: once it has, what stands before it would have too. */
const canary = trusted(`<img src="${CANARY}" alt="" onerror="window.isCanaryHeard = true">`)

test('the corpus is large', () => {
  expect(new Set(XSS_CORPUS).size).toBeGreaterThanOrEqual(120)
})

describe.skipIf(isChromiumMissing)(`in a browser ${isChromiumMissing ? lackOf('chromium') : ''}`, () => {
  const clock = createManualClock(Date.UTC(2026, 0, 5, 12))
  let browser: Browser
  let served: Served
  let shown: { author: string; message: string }[]

  beforeAll(async () => {
    const { watercooler } = createMemoryStore(createMemoryDisk())
    const services = { clock, watercooler, pageViews: { count() {} }, sourceOf: (source: string) => source }
    served = await serveGroup(communityGroup, services, { clock })
    browser = await launchChromium()
    shown = await sayAll(served, () => clock.advance(MINUTE_MS))
  })
  afterAll(async () => {
    await browser?.close()
    await served?.close()
  })

  /** What a page did: scripts that ran, hosts that it asked beside its own, and the frames that did either. */
  async function visit(markup: string, isOver: (seen: ReadonlySet<string>) => boolean = () => true) {
    const { page, hosts } = await openTab(browser)
    let fired = 0
    const frames = new Set<string>()
    await page.exposeBinding('alert', ({ frame }) => {
      fired++
      frames.add(frame.name())
    })
    page.on('request', (request) => {
      if (request.url() !== PAGE && request.url() !== CANARY) frames.add(request.frame().name())
    })
    await page.route('**', (route) =>
      route.request().url() === PAGE
        ? route.fulfill({ contentType: 'text/html; charset=utf-8', body: markup })
        : route.abort(),
    )
    await page.goto(PAGE, { waitUntil: 'load' })
    await page.waitForFunction('window.isCanaryHeard')
    await drawn(page)
    await vi.waitFor(() => expect(isOver(frames)).toBe(true), { timeout: SLOW_MS })
    const texts = await page.locator('.said').allTextContents()
    await page.context().close()
    hosts.delete(new URL(PAGE).host)
    return { fired, hosts: [...hosts], texts, frames }
  }

  const pageOf = (body: Html) =>
    html`<!doctype html><meta charset="utf-8"><title>x</title><body>${body}${canary}</body>`.markup

  test('every text is kept as it was typed', () => {
    expect(shown.map(({ message }) => message).sort()).toEqual([...XSS_CORPUS].sort())
  })

  test('is inert as our own pages show it: as text, in attributes, in data, and put in by a script', async () => {
    const items = shown.map(
      ({ author, message }) =>
        html`<li title="${message}" data-author='${author}'><b>${author}</b> <span class="said">${message}</span></li>`,
    )
    const script = trusted(
      `<ul id="later"></ul><script>for (const { message } of JSON.parse(document.getElementById('said').textContent)) {
        const item = document.createElement('li'); item.className = 'said'; item.textContent = message; item.title = message
        document.getElementById('later').append(item) }</script>`,
    )
    const page = pageOf(html`<ul>${items}</ul>${dataBlock('said', JSON.stringify(shown))}${script}`)
    const { fired, hosts, texts } = await visit(page)
    const messages = shown.map(({ message }) => message)
    expect({ fired, hosts, texts }).toEqual({ fired: 0, hosts: [], texts: [...messages, ...messages] })
  })

  test('is inert beside what the chat answers to it, as a page shows a conversation', async () => {
    const { clock: own, services } = createChatWorld()
    const chat = await serveGroup(createChatGroup('tollbook'), services, { clock: own })
    onTestFinished(chat.close)
    const turns: Html[] = []
    for (const message of XSS_CORPUS) {
      own.advance(MINUTE_MS)
      const history = [{ role: 'assistant', content: message }]
      const body = JSON.stringify({ message, history })
      const reply = await chat.ask('POST', '/tollbook/chat', { 'content-type': 'application/json' }, body)
      expect([reply.status, reply.body.includes('alert(')], message).toEqual([200, false])
      turns.push(html`<p title="${message}">${message}</p><p>${JSON.parse(reply.body).reply}</p>`)
    }
    const { fired, hosts } = await visit(pageOf(html`${turns}`))
    expect({ fired, hosts }).toEqual({ fired: 0, hosts: [] })
  })

  test('would be caught here if a page forgot to escape', async () => {
    const frames = XSS_CORPUS.map(
      (text, at) => html`<iframe name="${at}" srcdoc="${`<p>${text}</p><input value="${text}">`}"></iframe>`,
    )
    const most = XSS_CORPUS.length / 2
    const { frames: alive } = await visit(pageOf(html`${frames}`), ({ size }) => size >= most)
    expect(alive.size).toBeGreaterThanOrEqual(most)
  })

  test('is inert where somebody opens the reply itself', async () => {
    const { page, hosts } = await openTab(browser)
    let fired = 0
    await page.exposeFunction('alert', () => void fired++)
    for (const target of ['/api/watercooler?limit=50', '/api/watercooler?limit=50&x=.html'])
      await page.goto(served.url + target)
    await drawn(page)
    expect([fired, [...hosts]]).toEqual([0, [new URL(served.url).host]])
    expect(await page.evaluate('document.contentType')).toBe('application/json')
    await page.context().close()
  })
})

/** Two frames: that is after handlers of focus and of timers without a delay. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

/** Posts the whole corpus, as messages and as names, and reads it back page by page. */
async function sayAll(served: Served, wait: () => void): Promise<{ author: string; message: string }[]> {
  const shown: { author: string; message: string }[] = []
  for (const message of XSS_CORPUS) {
    wait()
    const author = Array.from(message).slice(0, AUTHOR_CHARS).join('')
    const headers = { 'content-type': 'application/json' }
    const said = await served.ask('POST', '/api/watercooler', headers, JSON.stringify({ author, message }))
    expect(said.status, message).toBe(200)
    const listed = await served.ask('GET', '/api/watercooler?limit=1')
    shown.push(JSON.parse(Buffer.from(listed.body, 'latin1').toString('utf8')).messages[0])
  }
  return shown
}
