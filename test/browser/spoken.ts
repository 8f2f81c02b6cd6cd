import type { Page } from 'playwright-core'

/** What live regions of the page say from now on, in order; to be called before the page is opened. */
export async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(`window.spoken = []
    const hear = (changes) => {
      const regions = new Set(changes.map(({ target }) =>
        (target instanceof Element ? target : target.parentElement)?.closest('[role=status], [role=alert], [aria-live]')))
      for (const region of regions) if (region?.textContent.trim()) window.spoken.push(region.textContent.trim())
    }
    new MutationObserver(hear).observe(document, { subtree: true, childList: true, characterData: true })`)
  return () => page.evaluate('window.spoken') as Promise<string[]>
}
