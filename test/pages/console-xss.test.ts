import { describe, expect, test } from 'vitest'
import { XSS_CORPUS } from '../../src/testing/community/xss-corpus.ts'
import { isChromiumMissing } from '../browser/chromium.ts'
import { CONSOLE, describeConsole, openConsole, openSection, signIn } from './console-scene.ts'

const TITLE_CHARS = 120

describe.skipIf(isChromiumMissing)('hostile texts in the operator console', () => {
  const scene = describeConsole()

  async function add(text: string): Promise<boolean> {
    const reply = await scene.world.send('POST', '/admin/task', {
      headers: { authorization: `Bearer ${scene.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: text.slice(0, TITLE_CHARS), detail: text }),
    })
    await reply.body?.cancel()
    return reply.status === 200
  }

  test('tasks are shown letter by letter, and none of them comes alive', async () => {
    const added: string[] = []
    for (const text of XSS_CORPUS) if (await add(text)) added.push(text)
    expect(added.length).toBeGreaterThanOrEqual(100)
    const { page, hosts, complaints } = await openConsole(scene)
    let fired = 0
    await page.exposeFunction('alert', () => fired++)
    page.on('dialog', (dialog) => {
      fired++
      return dialog.dismiss()
    })
    await signIn(page, scene.key)
    await openSection(page, 'tasks')
    const list = page.locator('[data-part="tasks-list"]')
    const shown: string[] = []
    for (;;) {
      shown.push(...(await list.locator('.kept').allTextContents()))
      const older = list.getByRole('button', { name: 'Older' })
      if ((await older.getAttribute('aria-disabled')) === 'true') break
      await older.click()
    }
    expect(shown.reverse()).toEqual(added)
    expect([fired, complaints, [...hosts]]).toEqual([0, [], [new URL(scene.world.url).host]])
    expect(new URL(page.url()).pathname).toBe(CONSOLE)
    await page.context().close()
  })

  test('so are texts in any field of a reply, whatever made them', async () => {
    const { page, hosts, complaints } = await openConsole(scene)
    let fired = 0
    await page.exposeFunction('alert', () => fired++)
    let at = 0
    const hostile = (value: unknown): unknown => {
      if (typeof value === 'string')
        return isPlain(value) ? value : (XSS_CORPUS[at++ % XSS_CORPUS.length] ?? '')
      if (Array.isArray(value)) return value.map(hostile)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, hostile(each)]))
    }
    for (const path of ['/admin/**', '/trade/**', '/health', '/x402/**', '/analytics'])
      await page.route(
        (url) => new RegExp(`^${path.replace('**', '')}`).test(url.pathname),
        async (route) => {
          if (route.request().resourceType() === 'document') return route.continue()
          const reply = await route.fetch()
          const json = reply.ok() ? hostile(await reply.json()) : await reply.json()
          return route.fulfill({ response: reply, json })
        },
      )
    await signIn(page, scene.key)
    for (const name of ['overview', 'ledger', 'usage', 'bot', 'trades', 'decisions', 'config', 'access']) {
      await openSection(page, name)
      expect([name, await page.locator(`#${name} .trouble`).textContent()]).toEqual([name, ''])
    }
    expect(at).toBeGreaterThan(100)
    expect([fired, complaints, [...hosts]]).toEqual([0, [], [new URL(scene.world.url).host]])
    await page.context().close()
  })
})

/** Times are read before they are shown. */
const isPlain = (text: string) => /^\d{4}-\d\d-\d\d/.test(text)
