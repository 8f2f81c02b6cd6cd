import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { type MadeKey, makeKey, revokeKey } from '../../src/access/change-keys.ts'
import { useLedger } from '../../src/app/ledger/use-ledger.ts'
import type { Scope } from '../../src/catalog/access.ts'
import { readConfig } from '../../src/config/config.ts'
import { systemClock } from '../../src/core/time/clock.ts'
import { startWorld, type World } from '../../src/testing/world.ts'
import { launchChromium, openTab, type Tab } from '../browser/chromium.ts'

export const CONSOLE = '/admin/dashboard'
/** A running service reads its keys again within two seconds; a busy machine may take longer. */
const SEEN_WITHIN_MS = 60_000

/** The real service on the sandbox with its first key, and a browser. */
export type ConsoleScene = { world: World; browser: Browser; key: string; dataDir: string }

export function describeConsole(): ConsoleScene {
  const scene = {} as ConsoleScene
  beforeAll(async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'tollbook-console-'))
    // Trusted, so that a test can knock from an address of its own.
    const world = await startWorld({ TOLLBOOK_DATA_DIR: dataDir, TOLLBOOK_TRUSTED_PROXIES: '127.0.0.1' })
    const key = world.app.firstKey?.key.reveal() ?? ''
    Object.assign(scene, { dataDir, world, key, browser: await launchChromium() })
  })
  afterAll(async () => {
    await scene.browser?.close()
    await scene.world?.[Symbol.asyncDispose]()
    rmSync(scene.dataDir, { recursive: true, force: true })
  })
  return scene
}

export async function openConsole(
  { browser, world }: ConsoleScene,
  options: BrowserContextOptions = {},
): Promise<Tab> {
  const tab = await openTab(browser, options)
  await tab.page.goto(world.url + CONSOLE)
  return tab
}

export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('Operator key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

export async function openSignedIn(scene: ConsoleScene, key = scene.key): Promise<Tab> {
  const tab = await openConsole(scene)
  await signIn(tab.page, key)
  await tab.page.getByRole('navigation', { name: 'Console' }).waitFor()
  return tab
}

/** Opens a section and waits until it has drawn what it asked for, or says why it could not. */
export async function openSection(page: Page, name: string): Promise<void> {
  await page.locator(`nav a[href="#${name}"]`).click()
  await page.locator(`#${name} [data-as-of]:not(:empty), #${name} .trouble:not(:empty)`).first().waitFor()
}

/** What the console says of the last thing that was done. */
export const told = (page: Page, text: string | RegExp) =>
  page.locator('#told').filter({ hasText: text }).waitFor()

/** As the API tells it, with the first key. */
export async function askApi(scene: ConsoleScene, path: string): Promise<Json> {
  const reply = await scene.world.get(path, { authorization: `Bearer ${scene.key}` })
  return (await reply.json()) as Json
}
// biome-ignore lint/suspicious/noExplicitAny: replies are checked by the tests of their routes
type Json = Record<string, any>

const changeKeys = <T>({ dataDir }: ConsoleScene, work: Parameters<typeof useLedger<T>>[1]): Promise<T> =>
  useLedger({ config: readConfig({ TOLLBOOK_DATA_DIR: dataDir }), clock: systemClock }, work)

/** A key that the running service knows. */
export async function makeWorkingKey(scene: ConsoleScene, scopes: ('trade' | 'admin')[]): Promise<MadeKey> {
  const made = await changeKeys(scene, ({ operator }) =>
    makeKey(operator, { label: scopes.join(' and '), scopes }, systemClock.now()),
  )
  await untilStatus(scene, made.key.reveal(), scopes[0] ?? 'admin', 200)
  return made
}

export async function endKey(scene: ConsoleScene, { id, key, scopes }: MadeKey): Promise<void> {
  await changeKeys(scene, ({ operator }) => revokeKey(operator, id, systemClock.now()))
  await untilStatus(scene, key.reveal(), scopes[0] ?? 'admin', 401)
}

let client = 0
async function untilStatus(
  { world }: ConsoleScene,
  key: string,
  scope: Scope,
  status: number,
): Promise<void> {
  const path = scope === 'trade' ? '/trade/balance' : '/admin/taskboard'
  await vi.waitFor(
    async () => {
      const from = `10.1.0.${++client % 250}`
      const reply = await world.get(path, { authorization: `Bearer ${key}`, 'x-forwarded-for': from })
      await reply.body?.cancel()
      expect(reply.status).toBe(status)
    },
    { timeout: SEEN_WITHIN_MS, interval: 200 },
  )
}
