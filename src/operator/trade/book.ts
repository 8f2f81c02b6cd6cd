import { z } from 'zod'
import { operator } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { ServiceError } from '../../core/service-error.ts'
import { isoTime, Source, Timestamp } from '../../products/fields.ts'
import { findBook, toWindowQuotes, WindowQuotes } from '../orders/window-quotes.ts'
import { BOOK_SOURCE } from '../sources.ts'
import type { TradeServices } from './services.ts'

export const book = defineEndpoint({
  id: 'trade.book',
  method: 'GET',
  path: '/trade/book',
  access: operator('trade'),
  summary: 'Best bid and ask of the open five-minute BTC market',
  description:
    'Best bid and best ask with their sizes of the UP and the DOWN token of the five-minute BTC market that is open now, with token ids, tick and seconds remaining. Never older than ten seconds, else 503.',
  params: z.object({}),
  sample: {},
  response: z.object({ timestamp: Timestamp, source: Source, ...WindowQuotes.shape }),
  handle: (services: TradeServices) => {
    const found = findBook(services, 'BTC')
    if ('missing' in found)
      throw new ServiceError(
        found.isStale ? 'stale_data' : 'upstream_unavailable',
        `no BTC book: ${found.missing}`,
      )
    return {
      timestamp: isoTime(found.book.asOfMs),
      source: services.sourceOf(BOOK_SOURCE),
      ...toWindowQuotes(found.book, services.clock.now()),
    }
  },
})
