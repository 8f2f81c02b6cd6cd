import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; nodes: { html: string; failureSummary: string }[] }

async function violationsOf(page: Page): Promise<string[]> {
  const found = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as Violation[]
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

/** What axe objects to, in both schemes. It runs as the debugger does: the policy of the page stays in force for the page. */
export async function violationsInBothSchemes(page: Page): Promise<{ light: string[]; dark: string[] }> {
  await page.evaluate(AXE)
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await violationsOf(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  return { light, dark: await violationsOf(page) }
}

/** How far the page is wider than its window. */
export const overhangOf = (page: Page) =>
  page.evaluate('document.scrollingElement.scrollWidth - document.documentElement.clientWidth')
