import { COINS } from '../../core/coin.ts'
import { countText } from '../../core/count-text.ts'
import type { FiveMinuteHealth } from '../../feeds/prediction/five-minute-markets.ts'
import { BOOK_FRESH_MS } from '../../products/prediction-markets/open-window.ts'
import type { HealthCheck } from '../../products/service/services.ts'

/** The five-minute markets. Without their connection books are still read over REST, more slowly. */
export function predictionCheck(feed: { health(): FiveMinuteHealth | undefined }): HealthCheck {
  const health = feed.health()
  const check = { name: 'polymarket', needed: false, latencyMs: null }
  if (!health) return { ...check, state: 'down', ageMs: null, detail: 'the engine is not heard' }
  const { isConnected, books, windows } = health
  const ages = books.flatMap(({ ageMs }) => ageMs ?? [])
  const fresh = ages.filter((ageMs) => ageMs <= BOOK_FRESH_MS).length
  const lacks = books.flatMap(({ coin, missing }) => (missing === undefined ? [] : `${coin}: ${missing}`))
  return {
    ...check,
    state: fresh === 0 ? 'down' : fresh === COINS.length && isConnected ? 'ok' : 'degraded',
    ageMs: ages.length === 0 ? null : Math.max(...ages),
    detail: [
      isConnected ? 'connected' : 'not connected',
      `fresh books of ${fresh} of ${COINS.length} coins`,
      `${countText(windows.watched, 'window')} watched, ${windows.unknown} unknown, ${windows.unresolved} unresolved`,
      ...lacks,
    ].join(', '),
  }
}
