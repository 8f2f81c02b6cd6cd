import { SECOND_MS } from '../../core/time/time.ts'

const GOODBYE_MS = 2 * SECOND_MS

/** A server that stands still does not take a goodbye either: whoever stops does not wait for that any longer. */
export function endSoon(goodbye: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, GOODBYE_MS)
    goodbye
      .catch(() => {})
      .finally(() => {
        clearTimeout(late)
        resolve()
      })
  })
}
