import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** More than any page has stops. */
const STOPS_MAX = 400

/** Presses Tab until the focus is where the selector says. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  const isThere = () => page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)
  for (let stops = 0; stops < STOPS_MAX; stops++) {
    await page.keyboard.press('Tab')
    if (await isThere()) return
  }
  expect.fail(`no way by Tab to ${selector}`)
}

/** The text of what has the focus. */
export const focusedText = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement.textContent') as Promise<string>
