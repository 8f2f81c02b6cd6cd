import { describe, expect, test } from 'vitest'
import { isChromiumMissing } from '../browser/chromium.ts'
import {
  askApi,
  CONSOLE,
  describeConsole,
  endKey,
  makeWorkingKey,
  openSection,
  openSignedIn,
  signIn,
  told,
} from './console-scene.ts'

describe.skipIf(isChromiumMissing)('what the operator does in the console', () => {
  const scene = describeConsole()
  const config = async () => (await askApi(scene, '/admin/trading/config')).config

  test('a setting is reviewed, changed, shown and in force, and found in history and audit', async () => {
    const { page } = await openSignedIn(scene)
    await openSection(page, 'config')
    const before = await config()
    await page.getByLabel('Size (USD)').locator('visible=true').fill('2.5')
    await page.locator('#config-form').getByLabel('Max confidence').fill('0.51')
    await page.getByText(`Not sent yet: size_usd: ${before.size_usd} → 2.5`).waitFor()
    // Whoever types is not told of every letter: the list is read with the button.
    const review = page.getByRole('button', { name: 'Review the change' })
    expect(await review.getAttribute('aria-describedby')).toBe('config-pending')
    expect(await page.locator('#config-pending').getAttribute('aria-live')).toBeNull()
    await review.click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.textContent()).toContain(`size_usd: ${before.size_usd} → 2.5`)
    expect(await dialog.textContent()).toContain('contrarian.max_confidence: 0.52 → 0.51')
    expect(await config()).toEqual(before)
    await dialog.getByRole('button', { name: 'Change it' }).click()
    await told(page, /Version \d+ is in force/)
    expect(await config()).toEqual({
      ...before,
      size_usd: 2.5,
      contrarian: { ...before.contrarian, max_confidence: 0.51 },
    })
    await page.locator('[data-part="config-history"]').getByText('sandbox (').first().waitFor()
    // Of the first change too, which was made of the defaults.
    await page
      .locator('[data-part="config-history"]')
      .getByText(`size_usd: ${before.size_usd} → 2.5`, { exact: true })
      .waitFor()
    const requestId = /Request id (\S+)\./.exec((await page.locator('#told').textContent()) ?? '')?.[1]
    const { audit } = await askApi(scene, CONSOLE)
    expect(audit.of_keys).toContainEqual(
      expect.objectContaining({
        request_id: requestId,
        endpoint: 'admin.change_trading_config',
        status: 200,
      }),
    )
    await page.context().close()
  })

  test('who declines has done nothing; who confirms has done it once, however often the button is pressed', async () => {
    const { page } = await openSignedIn(scene)
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.postData() ?? ''))
    await openSection(page, 'bot')
    const pause = page.getByRole('button', { name: 'Pause the bot…' })
    const dialog = page.getByRole('dialog')
    await pause.click()
    expect(await dialog.textContent()).toContain('The bot places no new orders.')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await pause.click()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await pause.focus()
    // The first button of the dialog has the focus, and that one cancels.
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    expect([sent, (await config()).enabled]).toEqual([[], true])
    await pause.click()
    await dialog.getByRole('button', { name: 'Pause the bot' }).dblclick()
    await told(page, 'Done:')
    expect([sent, (await config()).enabled]).toEqual([['{"command":"pause_bot"}'], false])
    await page.getByRole('button', { name: 'Resume the bot…' }).waitFor()
    expect(await pause.isVisible()).toBe(false)
    await page.context().close()
  })

  test('a purchase names market, amount and money, and the same order again while its answer is not known', async () => {
    const { page } = await openSignedIn(scene)
    const sent: Record<string, unknown>[] = []
    await page.route('**/admin/trading/buy', async (route) => {
      sent.push(route.request().postDataJSON())
      if (sent.length === 1) return route.abort()
      return route.fulfill({
        status: 409,
        json: { detail: 'not bought (cash): made up' },
        contentType: 'application/problem+json',
      })
    })
    await openSection(page, 'bot')
    const form = page.locator('form[data-act="admin.buy"]')
    await form.getByLabel('Size (USD)').fill('1.5')
    await form.getByLabel('Coin').selectOption('eth')
    const buy = async () => {
      await form.getByRole('button', { name: 'Buy…' }).click()
      const dialog = page.getByRole('dialog')
      const text = await dialog.textContent()
      await dialog.getByRole('button', { name: 'Buy for 1.50 USD' }).click()
      return text
    }
    expect(await buy()).toMatch(
      /1\.50 USD .*ETH UP.*simulated money of the paper account.*(eth-updown|not known)/,
    )
    await told(page, 'it may have been done or not')
    await buy()
    await told(page, 'Not bought (cash): made up.')
    expect(sent[0]).toMatchObject({ side: 'YES', coin: 'eth', size_usd: 1.5 })
    expect(sent[1]).toEqual(sent[0])
    expect(await form.getByLabel('Size (USD)').inputValue()).toBe('1.5')
    await page.context().close()
  })

  test('a failure is told in words, and what was typed stays', async () => {
    const own = await makeWorkingKey(scene, ['admin'])
    const { page } = await openSignedIn(scene, own.key.reveal())
    await openSection(page, 'tasks')
    await page.getByText('Add a task').click()
    const form = page.locator('form[data-act="admin.task"]')
    await form.getByLabel('Title').fill('Kept over failures')
    const failures: [number, Record<string, unknown>, string][] = [
      [503, { detail: 'no market is open' }, 'nothing was changed: no market is open.'],
      // After the venue has taken an order, for all we know.
      [503, { code: 'store_unavailable', detail: 'not written' }, 'it may have been done or not'],
      [429, { detail: 'too many calls' }, 'Too many calls. Try again in 7 s.'],
      [403, { detail: 'this needs a key', hint: 'use another' }, 'This needs a key. Use another.'],
      [422, { detail: [{ loc: ['body', 'title'], msg: 'too long' }] }, 'Title: too long.'],
    ]
    for (const [status, json, text] of failures) {
      const headers = {
        ...{ 'content-type': 'application/problem+json', 'retry-after': '7' },
        'x-tollbook-mode': 'sandbox',
      }
      await page.route(
        '**/admin/task',
        (route) => route.fulfill({ status, body: JSON.stringify(json), headers }),
        { times: 1 },
      )
      await form.getByRole('button', { name: 'Add the task' }).click()
      await told(page, text)
      expect(await form.getByLabel('Title').inputValue()).toBe('Kept over failures')
    }
    // Of a proxy that gave up waiting.
    await page.route('**/admin/task', (route) => route.fulfill({ status: 504 }), { times: 1 })
    await form.getByRole('button', { name: 'Add the task' }).click()
    await told(page, 'it may have been done or not')
    await endKey(scene, own)
    await form.getByRole('button', { name: 'Add the task' }).click()
    await page.getByText('What you typed in the console is kept.').waitFor()
    expect(await page.locator('#console').isVisible()).toBe(false)
    await signIn(page, scene.key)
    await form.getByLabel('Title').waitFor()
    expect(await form.getByLabel('Title').inputValue()).toBe('Kept over failures')
    await form.getByRole('button', { name: 'Add the task' }).dblclick()
    await told(page, 'is on the board.')
    expect(await form.getByLabel('Title').inputValue()).toBe('')
    const { tasks } = await askApi(scene, '/admin/taskboard')
    expect(tasks.filter(({ title }: { title: string }) => title === 'Kept over failures')).toHaveLength(1)
    await page.context().close()
  })
})
