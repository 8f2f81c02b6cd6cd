import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { TASKS_MAX } from '../../src/ledger/ports/operator-book.ts'
import { isChromiumMissing } from '../browser/chromium.ts'
import { askApi, describeConsole, openSection, openSignedIn, told } from './console-scene.ts'

const ORDER = {
  side: 'BUY',
  coin: 'BTC',
  outcome: 'UP',
  filled_shares: 0,
  filled_usd: 0,
  fees_usd: 0,
  state: 'closed',
  note: null,
  repeat: false,
  broker: 'paper',
  sim: true,
}

describe.skipIf(isChromiumMissing)('what the console says of money', () => {
  const scene = describeConsole()

  /** Opens the question of a purchase. */
  async function askToBuy(page: Page) {
    await openSection(page, 'bot')
    const form = page.locator('form[data-act="admin.buy"]')
    await form.getByLabel('Size (USD)').fill('1')
    await form.getByRole('button', { name: 'Buy…' }).click()
    return page.getByRole('dialog')
  }
  const confirm = (page: Page) => page.getByRole('button', { name: 'Buy for 1.00 USD' }).click()

  test('the account that a question names is sent with what it asks', async () => {
    const { page } = await openSignedIn(scene)
    const sent: Record<string, unknown>[] = []
    for (const path of ['buy', 'boss-signal', 'config'])
      await page.route(`**/admin/trading/${path}`, (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        sent.push(route.request().postDataJSON())
        return route.fulfill({ status: 409, json: { detail: `made up ${path}` } })
      })
    const dialog = await askToBuy(page)
    expect(await dialog.textContent()).toContain('simulated money of the paper account')
    await confirm(page)
    await told(page, 'Made up buy')
    await page.getByRole('button', { name: 'Force the direction…' }).click()
    await dialog.getByRole('button', { name: 'Force UP' }).click()
    await told(page, 'Made up boss-signal')
    await openSection(page, 'config')
    await page.locator('#config-form').getByLabel('Size (USD)').fill('3')
    await page.getByRole('button', { name: 'Review the change' }).click()
    await dialog.getByRole('button', { name: 'Change it' }).click()
    await told(page, 'Made up config')
    const { version } = await askApi(scene, '/admin/trading/config')
    expect(sent).toMatchObject([{ broker: 'paper' }, { broker: 'paper' }, { size_usd: 3, version }])
    await page.context().close()
  })

  test.each([
    ['sandbox', 'simulated money of the account at the simulated venue'],
    ['paper', 'simulated money of the account at the simulated venue'],
    ['live', 'REAL money'],
    ['', 'REAL money'],
    ['other', 'REAL money'],
  ])(
    'in the mode "%s" the account at the venue is %s, also where replies do not name it',
    async (mode, words) => {
      const tab = await scene.browser.newPage()
      await tab.route('**/admin/**', async (route) => {
        const reply = await route.fetch()
        const { 'x-tollbook-mode': _, ...headers } = reply.headers()
        const body = (await reply.text())
          .replace('data-mode="sandbox"', `data-mode="${mode}"`)
          .replace('"broker":"paper","sim":true', '"broker":"polymarket","sim":false')
        await route.fulfill({ status: reply.status(), headers, body })
      })
      await tab.goto(`${scene.world.url}/admin/dashboard`)
      await tab.getByLabel('Operator key').fill(scene.key)
      await tab.getByRole('button', { name: 'Sign in' }).click()
      const dialog = await askToBuy(tab)
      expect(await dialog.textContent()).toContain(words)
      await tab.close()
    },
  )

  test.each([
    [
      'the book had nothing',
      {},
      'Nothing was bought: the book had no shares of BTC UP at the price.',
      'warn',
    ],
    ['the venue refused', { note: 'too small' }, 'Nothing was bought: too small.', 'warn'],
    ['some was bought', { filled_shares: 2, filled_usd: 1 }, 'Bought 2 shares of BTC UP', 'good'],
  ])('of an order of which %s', async (_, changes, words, tone) => {
    const { page } = await openSignedIn(scene)
    await page.route('**/admin/trading/buy', (route) => route.fulfill({ json: { ...ORDER, ...changes } }))
    await askToBuy(page)
    await confirm(page)
    await told(page, words)
    expect(await page.locator('#told').getAttribute('data-tone')).toBe(tone)
    await page.context().close()
  })

  test('a task on a full board is added only after a question that names what is deleted', async () => {
    const { page } = await openSignedIn(scene)
    const row = {
      priority: 'low',
      by: 'me',
      detail: null,
      assignee: null,
      created_at: '2026-01-05T12:00:00Z',
    }
    let size = TASKS_MAX
    await page.route('**/admin/taskboard', (route) => {
      const tasks = Array.from({ length: size }, (_, at) => ({
        ...row,
        id: size - at,
        title: `No. ${size - at}`,
      }))
      return route.fulfill({ json: { tasks } })
    })
    const sent: string[] = []
    await page.route('**/admin/task', (route) => {
      sent.push(route.request().postDataJSON().title)
      return route.fulfill({ json: { task: { id: 9 }, gave_way: null } })
    })
    await openSection(page, 'tasks')
    await page.getByText('Add a task').click()
    const add = async (title: string) => {
      await page.getByLabel('Title').fill(title)
      await page.getByRole('button', { name: 'Add the task' }).click()
    }
    await add('declined')
    const dialog = page.getByRole('dialog')
    expect(await dialog.textContent()).toContain('task 1, "No. 1", is deleted for good')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await add('confirmed')
    size = TASKS_MAX - 1
    await dialog.getByRole('button', { name: 'Add the task and delete the oldest' }).click()
    await told(page, 'Task 9 is on the board.')
    await page.getByText(`No. ${TASKS_MAX}`, { exact: true }).waitFor({ state: 'detached' })
    await add('room again')
    await expect.poll(() => sent).toEqual(['confirmed', 'room again'])
    await page.context().close()
  })
})
