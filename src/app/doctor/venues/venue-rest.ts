import { PROVIDERS, type Upstreams } from '../../../config/providers.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { MINUTE_MS } from '../../../core/time/time.ts'
import type { Trade } from '../../../feeds/events.ts'
import { binanceSymbolOf, findBinanceTrade } from '../../../feeds/venues/binance/wire.ts'
import { coinbaseProductOf, findCoinbaseTrade } from '../../../feeds/venues/coinbase/wire.ts'
import { askOnce } from '../ask-once.ts'
import { type Check, failure, ok, warning } from '../check.ts'

const COIN = 'BTC'
/** Of what a venue allows; the service itself needs a few hundredths. */
const MUCH = 0.8
/** Bitcoin trades every second. */
const OLD_AFTER_MS = 5 * MINUTE_MS
const REFUSED_FOR_NOW = [418, 429]

type Usage = { text: string; share: number }
type Rest = {
  name: string
  variable: string
  url: string
  find(row: unknown, nowMs: number): Trade | undefined
  usageOf(headers: Headers): Usage
}

export const binanceRest = ({ BINANCE }: Upstreams): Rest => ({
  name: 'binance',
  variable: 'TOLLBOOK_UPSTREAM_BINANCE_URL',
  url: `${BINANCE}/api/v3/aggTrades?symbol=${binanceSymbolOf(COIN)}&limit=1`,
  find: (row, nowMs) => findBinanceTrade(COIN, row, nowMs),
  usageOf(headers) {
    const { weight } = PROVIDERS.binance.restLimit
    const used = headers.get('x-mbx-used-weight-1m')
    const limit = `limit ${weight} of weight a minute`
    return used === null || !/^\d{1,9}$/.test(used)
      ? { text: `${limit} (use is not told)`, share: 0 }
      : { text: `${limit}, ${used} used`, share: Number(used) / weight }
  },
})

export const coinbaseRest = ({ COINBASE }: Upstreams): Rest => ({
  name: 'coinbase',
  variable: 'TOLLBOOK_UPSTREAM_COINBASE_URL',
  url: `${COINBASE}/products/${coinbaseProductOf(COIN)}/trades?limit=1`,
  find: (row, nowMs) => findCoinbaseTrade(COIN, row, nowMs),
  usageOf: () => ({ text: 'limit 10 requests a second (use is not told)', share: 0 }),
})

/** The newest trade, in its format and of now, and how much of the venue's limit is used from this address. */
export function venueRestCheck({ name, variable, url, find, usageOf }: Rest, clock: Clock): Check {
  return {
    name,
    group: 'venues',
    advice: `look whether this machine may connect to ${new URL(url).host}, and at ${variable}`,
    async run(signal) {
      const { status, json, headers, tookMs } = await askOnce(url, signal)
      if (REFUSED_FOR_NOW.includes(status))
        return failure(
          `refuses requests from this address for now (${status}): its limit was exceeded`,
          `wait ${headers.get('retry-after') ?? '60'} s; stop other programs on this address that ask it too often`,
        )
      if (status !== 200) throw new Error(`answered ${status}`)
      const trade = Array.isArray(json) ? find(json[0], clock.now()) : undefined
      if (!trade) throw new Error('the answer is not in its format')
      const usage = usageOf(headers)
      const what = `${COIN} ${trade.price} in ${Math.round(tookMs)} ms; ${usage.text}`
      const ageMs = clock.now() - trade.atMs
      if (ageMs > OLD_AFTER_MS)
        return failure(
          `the newest trade is ${Math.round(ageMs / MINUTE_MS)} minutes old`,
          `wait for the venue, or look at ${variable}`,
        )
      return usage.share > MUCH
        ? warning(
            what,
            'stop other programs on this address that ask it: beyond the limit it refuses ours too',
          )
        : ok(what)
    },
  }
}
