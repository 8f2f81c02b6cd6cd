import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keepPastWindows } from '../../src/testing/record/past-windows.ts'
import { startWorld, type World } from '../../src/testing/world.ts'
import { isChromiumMissing, launchChromium, openTab, type Tab } from '../browser/chromium.ts'
import { focusedText, tabTo } from '../browser/keyboard.ts'
import { listen } from '../browser/spoken.ts'

const WINDOWS = 60

describe.skipIf(isChromiumMissing)('the track record in a browser', () => {
  let dataDir: string
  let world: World
  let browser: Browser
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'tollbook-'))
    await keepPastWindows(dataDir, WINDOWS)
    world = await startWorld({ TOLLBOOK_DATA_DIR: dataDir })
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await world?.[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const open = async (path: string, options = {}): Promise<Tab> => {
    const tab = await openTab(browser, options)
    await tab.page.goto(world.url + path)
    return tab
  }
  const verdict = (page: Page) => page.locator('#verdict')
  const rows = (page: Page) => page.locator('#windows tbody tr')
  const checkPasted = async (page: Page, text: string) => {
    await page.getByLabel('JSON of an entry').fill(text)
    await page.getByRole('button', { name: 'Check this entry' }).click()
  }

  test('on a telephone every button of the list is on the screen', async () => {
    const { page } = await open('/proof', { viewport: { width: 390, height: 844 } })
    const buttons = page.locator('#windows button')
    await buttons.first().waitFor()
    expect(await buttons.count()).toBe(await rows(page).count())
    for (const button of await buttons.all()) {
      const { x = 0, width = 0 } = (await button.boundingBox()) ?? {}
      expect([x > 0, x + width < 390]).toEqual([true, true])
    }
    await page.context().close()
  })

  test('a window of the list is checked at the press of a button, and a forged copy is caught', async () => {
    const { page, hosts, complaints } = await openTab(browser)
    const spoken = await listen(page)
    await page.goto(`${world.url}/proof`)
    const said = rows(page).filter({ hasText: '%' }).first()
    await said.getByRole('button', { name: /^Check (BTC|ETH|SOL|XRP) / }).click()
    await verdict(page)
      .filter({ hasText: 'True. This prediction was fixed before its window opened' })
      .waitFor()
    expect(await page.locator('#checks li').allTextContents()).toEqual([
      expect.stringMatching(/^✓ One entry, holds/),
      expect.stringMatching(/^✓ Signature, holds/),
      expect.stringMatching(/^✓ In the log, holds/),
      expect.stringMatching(/^✓ Fixed beforehand, holds/),
      expect.stringMatching(/^✓ The same prediction, holds/),
      expect.stringMatching(/^✓ Outcome, holds/),
    ])
    // The focus reads the verdict aloud, so no live region says it once more.
    expect(await page.evaluate('document.activeElement.id')).toBe('verdict')
    expect(new Set(await spoken())).toEqual(new Set(['Fetching the entry…', 'Checking…']))

    const entry = JSON.parse(await page.getByLabel('JSON of an entry').inputValue())
    entry.leaves[1].leaf.prediction.probability_up = 0.99
    await checkPasted(page, JSON.stringify(entry))
    await verdict(page).filter({ hasText: 'Not true.' }).waitFor()
    const failed = page.locator('#checks li').filter({ hasText: '✗' })
    expect(await failed.allTextContents()).toContainEqual(
      '✗ The same prediction, fails: What was revealed is not what was fixed before the window.',
    )
    expect(complaints).toEqual([])
    expect([...hosts]).toEqual([new URL(world.url).host])
    await page.context().close()
  })

  test('a window is checked by keyboard alone, and so is an entry that is pasted', async () => {
    const { page } = await open('/proof')
    await tabTo(page, '#windows button')
    await page.keyboard.press('Enter')
    await verdict(page).filter({ hasText: 'True' }).waitFor()
    expect(await focusedText(page)).toContain('True')
    await tabTo(page, 'summary')
    await page.keyboard.press('Enter')
    expect(await page.locator('[id="proof/verify-record.js"]').isVisible()).toBe(true)
    await page.getByLabel('JSON of an entry').focus()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('{')
    await page.keyboard.press('Tab')
    expect(await focusedText(page)).toBe('Check this entry')
    await page.keyboard.press('Enter')
    await verdict(page).filter({ hasText: 'This is no JSON' }).waitFor()
    await page.context().close()
  })

  test.each([
    ['{"id":', 'This is no JSON'],
    ['<img src=x onerror=alert(1)>', 'This is no JSON'],
    ['{"<b>x</b>":1}', 'has a member that none has: <b>x</b>'],
    ['', 'Nothing to check yet'],
  ])('%s is answered in words', async (text, words) => {
    const { page, complaints } = await open('/proof')
    await checkPasted(page, text)
    await verdict(page).filter({ hasText: words }).waitFor()
    expect([await page.locator('#checks li').count(), complaints]).toEqual([0, []])
    await page.context().close()
  })

  test('an entry that cannot be fetched is told, and the next press works', async () => {
    const { page } = await open('/proof')
    await page.route('**/record/*', (route) => route.fulfill({ status: 503, body: '{}' }), { times: 1 })
    const button = rows(page).first().getByRole('button')
    await button.click()
    await verdict(page).filter({ hasText: 'could not be fetched. The service answered 503.' }).waitFor()
    await button.click()
    await verdict(page).filter({ hasText: 'True' }).waitFor()
    await page.context().close()
  })

  test('the code that is shown is the code that runs', async () => {
    const { page } = await open('/proof')
    for (const name of ['proof/verify-record.js', 'proof/entry-shape.js']) {
      const shown = await page.locator(`[id="${name}"]`).textContent()
      expect(shown).toBe(await (await world.get(`/assets/${name}`)).text())
    }
    await page.context().close()
  })

  test('without scripts every window can be reached and filtered, and the words and figures are there', async () => {
    const { page } = await open('/proof', { javaScriptEnabled: false })
    expect(await page.locator('main').textContent()).toMatch(/windows? still to come/)
    expect(await page.getByRole('img', { name: /^Reliability diagram/ }).isVisible()).toBe(true)
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await page.getByText('needs JavaScript').isVisible()).toBe(true)
    const seen = new Set<string>()
    for (;;) {
      for (const link of await rows(page).getByRole('link').all())
        seen.add((await link.getAttribute('href')) ?? '')
      const older = page.getByRole('link', { name: 'Older' })
      if ((await older.count()) === 0) break
      await older.click()
    }
    expect(seen.size).toBeGreaterThanOrEqual(4 * WINDOWS)
    await page.getByRole('link', { name: 'Newer' }).click()
    await page.getByRole('link', { name: 'ETH', exact: true }).click()
    expect(await page.locator('h1').textContent()).toBe('Track record of ETH')
    const coins = await rows(page).getByRole('link').allTextContents()
    expect(coins.length).toBeGreaterThan(40)
    expect(coins.filter((text) => !text.startsWith('ETH '))).toEqual([])
    await page.context().close()
  })

  test('the methodology leads to it, and it leads to the methodology', async () => {
    const { page } = await open('/methodology')
    await page.getByRole('link', { name: 'the track record', exact: true }).click()
    expect(await page.locator('h1').textContent()).toBe('Track record')
    await page.getByRole('link', { name: 'How the record works' }).click()
    expect(await page.locator('h1').textContent()).toBe('How the track record works')
    await page.context().close()
  })

  test('programs get the same as JSON', async () => {
    const reply = await world.get('/proof?coin=ETH', { accept: 'application/json' })
    expect(await reply.json()).toMatchObject({ coin: 'ETH', finding: { verdict: 'too_few_windows' } })
    expect((await world.get('/proof?coin=DOGE')).status).toBe(422)
  })
})
