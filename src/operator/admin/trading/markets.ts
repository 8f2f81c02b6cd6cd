import { z } from 'zod'
import { operator } from '../../../catalog/access.ts'
import { defineEndpoint } from '../../../catalog/endpoints/endpoint.ts'
import { COINS, type Coin } from '../../../core/coin.ts'
import { isoTime, Source, Timestamp } from '../../../products/fields.ts'
import { CoinName, Count } from '../../fields.ts'
import { findBook, toWindowQuotes, WindowQuotes } from '../../orders/window-quotes.ts'
import { BOOK_SOURCE } from '../../sources.ts'
import type { AdminServices } from '../services.ts'

const CoinMarket = z.object({
  coin: CoinName,
  market: WindowQuotes.nullable(),
  reason: z.string().optional().describe('Why market is null; there only while it is'),
})

export const markets = defineEndpoint({
  id: 'admin.trading_markets',
  method: 'GET',
  path: '/admin/trading/markets',
  access: operator('admin'),
  summary: 'UP and DOWN prices of the open five-minute markets',
  description:
    'Best bid, best ask and midpoint of both outcomes for each of the four coins, in the window that is open now. A coin whose market is not known or older than ten seconds says why.',
  params: z.object({}),
  sample: {},
  response: z.object({
    timestamp: Timestamp.describe('Of the oldest book in the reply'),
    source: Source,
    count: Count.describe('Coins that have a market'),
    markets: z.array(CoinMarket),
  }),
  handle: (services: AdminServices) => {
    const nowMs = services.clock.now()
    const found = COINS.map((coin) => lookAt(services, coin))
    return {
      timestamp: isoTime(Math.min(nowMs, ...found.map(({ asOfMs }) => asOfMs ?? nowMs))),
      source: services.sourceOf(BOOK_SOURCE),
      count: found.filter(({ shown }) => shown.market).length,
      markets: found.map(({ shown }) => shown),
    }
  },
})

type Looked = { shown: z.input<typeof CoinMarket>; asOfMs?: number }

function lookAt(services: AdminServices, coin: Coin): Looked {
  const found = findBook(services, coin)
  if ('missing' in found) return { shown: { coin, market: null, reason: found.missing } }
  const { book } = found
  return { shown: { coin, market: toWindowQuotes(book, services.clock.now()) }, asOfMs: book.asOfMs }
}
