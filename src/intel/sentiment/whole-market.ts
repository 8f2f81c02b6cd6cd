import type { Clock } from '../../core/time/clock.ts'
import { HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import type { CoinGecko } from '../../upstreams/coingecko/client.ts'
import type { GlobalMarket } from '../../upstreams/coingecko/wire.ts'
import { createPolled } from '../../upstreams/polled.ts'
import { type Part, toPart } from '../part.ts'

const SOURCE = 'coingecko'
/** The provider computes it anew every ten minutes. */
const EVERY_MS = 5 * MINUTE_MS
const AGES = { freshMs: 20 * MINUTE_MS, hardMs: 2 * HOUR_MS }

export type WholeMarketSource = { read(): Part<GlobalMarket>; start(): Promise<void>; stop(): void }
type Ports = { clock: Clock; random: () => number; coingecko: CoinGecko }

/** What the whole market is worth, and the share of each coin in it. */
export function createWholeMarketSource({ clock, random, coingecko }: Ports): WholeMarketSource {
  const polled = createPolled({ clock, random, everyMs: EVERY_MS, fetch: coingecko.global })
  return {
    read() {
      const last = polled.last()
      const found = last && { value: last.value, asOfMs: Math.min(last.value.atMs, last.asOfMs) }
      return toPart({ source: SOURCE, ages: AGES, nowMs: clock.now() }, found, polled.fault())
    },
    start: polled.start,
    stop: polled.stop,
  }
}
