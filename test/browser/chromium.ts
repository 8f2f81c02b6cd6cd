import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { isMissing } from '../../src/testing/missing.ts'

/** A page that runs no tests' code but ours, and what it did while we were not looking. */
export type Tab = { page: Page; hosts: Set<string>; complaints: string[] }

/**
 * The one that is named, else the first that is installed. The headless shell goes first: it is the same engine without
 * the windows of a whole browser, which take three quarters of the time of opening a tab.
 */
const PLACES = ['chromium-headless-shell', 'chromium', 'google-chrome'].map((name) => join('/usr/bin', name))
const chromiumPath = [process.env.CHROMIUM_PATH, ...PLACES].find(
  (path) => path !== undefined && existsSync(path),
)

export const isChromiumMissing = isMissing('chromium', chromiumPath !== undefined)

/** Without a sandbox, for tests often run as root; without the browser's own calls to the outside. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath ?? '', args: FLAGS })
}

export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const hosts = new Set<string>()
  const complaints: string[] = []
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // The browser itself notes every status above 399, and a 402 is what this page is about.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  return { page, hosts, complaints }
}
