import { isWindowStart, WINDOW_S } from '../../core/time/window.ts'

const SLUG = /^([a-z0-9]{2,10})-updown-5m-(\d{1,12})$/

type SlugWindow = { slug: string; coin: string; windowStartS: number; windowEndS: number }

/** The coin and window that the slug of a five-minute market names; undefined for other markets. */
export function findFiveMinuteSlug(slug: string): SlugWindow | undefined {
  const [, coin, epoch] = SLUG.exec(slug) ?? []
  const windowStartS = Number(epoch)
  if (coin === undefined || !isWindowStart(windowStartS)) return undefined
  return { slug, coin: coin.toUpperCase(), windowStartS, windowEndS: windowStartS + WINDOW_S }
}
