import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { isChromiumMissing, openTab } from '../browser/chromium.ts'
import { focusedText, tabTo } from '../browser/keyboard.ts'
import { describeVisit } from './visit.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

describe.skipIf(isChromiumMissing)('the home page', () => {
  const visit = describeVisit('usual')

  /** What its button puts into the clipboard. */
  async function copied(section: string, at = 0): Promise<string> {
    const page = await visit.open('/')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const card = page.locator('.card', { has: page.getByRole('heading', { name: section, exact: true }) })
    await card.getByRole('button', { name: 'Copy' }).nth(at).click()
    await card.getByRole('button', { name: 'Copied' }).waitFor()
    return page.evaluate('navigator.clipboard.readText()') as Promise<string>
  }

  test('what is copied for curl is a call that answers', async () => {
    const command = await copied('curl')
    await visit.world.untilFresh()
    const { stdout } = await run('sh', ['-c', command])
    expect(JSON.parse(stdout)).toMatchObject({ token: 'BTC', price_usd: expect.any(Number) })
  })

  test('what is copied as a program pays and prints the reply', async () => {
    const folder = mkdtempSync(join(root, 'node_modules/.home-'))
    try {
      writeFileSync(join(folder, 'buy.mjs'), await copied('TypeScript', 1))
      await visit.world.untilFresh()
      const { stdout } = await run(process.execPath, [join(folder, 'buy.mjs')])
      expect(stdout).toMatch(/^200 \{/)
      expect(stdout).toContain("token: 'BTC'")
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('what is copied for MCP is where the tools are', async () => {
    const { mcpServers } = JSON.parse(await copied('MCP'))
    const client = new Client({ name: 'reader', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(mcpServers.tollbook.url)))
    expect((await client.listTools()).tools).toHaveLength(10)
    await client.close()
  })

  test('before the first window has closed the preview says so', async () => {
    const page = await visit.open('/docs')
    const reply = { signals: [], note: 'no window has been <b>closed</b> yet' }
    await page.route('**/public/latest-signal', (route) => route.fulfill({ json: reply }))
    await page.goto(`${visit.world.url}/`)
    await page.locator('.preview').getByText('No window has been <b>closed</b> yet.').waitFor()
    expect(await page.getByText('Delayed on purpose').isVisible()).toBe(false)
  })

  test('the preview takes its words from the public reply', async () => {
    const page = await visit.open('/docs')
    const signal = {
      ...{ coin: 'BTC', direction: 'DOWN', confidence: 0.613, probability_up: 0.387, abstain: false },
      ...{
        window_start: 1_767_614_400,
        window_end: 1_767_614_700,
        open_price_usd: 100,
        close_price_usd: 99.5,
      },
      ...{ outcome: 'DOWN', hit: true, record_path: '/record/<b>' },
    }
    await page.route('**/public/latest-signal', (route) => route.fulfill({ json: { signals: [signal] } }))
    await page.goto(`${visit.world.url}/`)
    const card = page.locator('.preview')
    await card.getByText('▼ Down, 61.3 %').waitFor()
    expect(await card.textContent()).toContain('▼ down: the direction was right')
    expect(await card.textContent()).toContain('$100.00 to $99.50')
  })

  test('prices are reached by keyboard alone, and lead to what they buy', async () => {
    const page = await visit.open('/')
    await tabTo(page, 'nav[aria-label=Main] a[href="/pricing"]')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/pricing')
    await page.keyboard.press('Tab')
    expect(await focusedText(page)).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    const product = await focusedText(page)
    expect(await page.locator('.prices tbody th a').first().textContent()).toBe(product)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/\w+#/)
    expect(await page.evaluate('document.querySelector(location.hash).tagName')).toMatch(/^H\d$/)
  })

  test.each(['/', '/price/BTC?demo=0'])(
    'by another name of the host the commands of %s name that one',
    async (path) => {
      const { page } = await openTab(visit.browser)
      const other = visit.world.url.replace('127.0.0.1', 'localhost')
      await page.goto(other + path)
      const commands = await page.locator('pre[data-copy] code').allTextContents()
      expect(commands.some((command) => command.includes(other))).toBe(true)
      expect(commands.filter((command) => command.includes(visit.world.url))).toEqual([])
      expect(await page.locator('a[href^="http"]').count()).toBe(0)
      await page.context().close()
    },
  )
})
