import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { COINS, listCoins } from '../../core/coin.ts'
import { usd } from '../../core/money.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { Coins } from '../signals/coins.ts'
import { BOOK_FRESH_MS, oldestMs, openWindows, windowChanges } from './open-window.ts'
import type { PredictionServices } from './services.ts'
import { toCoinMarket } from './to-coin-market.ts'
import { CoinMarket } from './window-fields.ts'

export const ODDS_SOURCE = 'polymarket_and_signal_engine'
/** Replies are shared for this long while nothing changes, so ages in them are off by at most as much. */
export const AGE_STEP_MS = 250

export const fiveMinuteMarkets = defineEndpoint({
  id: 'predmkt.five_minute',
  method: 'GET',
  path: '/predmkt/5min',
  access: paid(usd('0.01')),
  summary: 'Open five-minute markets of BTC, ETH, SOL and XRP with odds, our probability and the edge',
  description:
    'Polymarket’s up-or-down market of the window that is open now, per coin: UP and DOWN with bid, ask and size, token ids, fee, rule, seconds remaining, our probability of the same window, and for both sides the edge: probability less the price after fees at the size available. Book and probability are at most ten seconds old, else 503 and not charged; coins narrows.',
  brings:
    'The markets on the next few minutes: what both sides cost, how likely we think each is, and what is left after fees.',
  params: z.object({ coins: Coins }),
  sample: { coins: 'btc' },
  title: ({ coins }) => `Five-minute markets of ${listCoins(coins ?? COINS)}`,
  response: z.object({
    timestamp: Timestamp.describe('Of the oldest book or probability in the reply'),
    source: Source,
    count: z.int().min(0),
    markets: z.array(CoinMarket),
  }),
  tool: 'get_polymarket_odds',
  freshForMs: BOOK_FRESH_MS,
  changes: (services: PredictionServices, { coins }) => [
    Math.floor(services.clock.now() / AGE_STEP_MS),
    ...windowChanges(services, coins ?? COINS),
  ],
  handle: (services: PredictionServices, { coins }) => {
    const windows = openWindows(services, coins ?? COINS)
    return {
      timestamp: isoTime(oldestMs(windows)),
      source: services.sourceOf(ODDS_SOURCE),
      count: windows.length,
      markets: windows.map((open) => toCoinMarket(services, open)),
    }
  },
})
