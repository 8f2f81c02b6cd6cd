import { z } from 'zod'
import { operator } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { isoTime, Source, Timestamp } from '../../products/fields.ts'
import { Broker } from '../fields.ts'
import { ReportedOrder, toReportedOrder } from '../orders/order-fields.ts'
import { BROKER_SOURCE } from '../sources.ts'
import type { TradeServices } from './services.ts'

/** Far above any position, and exact in millionths. */
const SHARES_MAX = 1_000_000_000
const MILLION = 1_000_000
/** A token id is a number of 256 bits. */
const TOKEN_DIGITS = { min: 10, max: 78 }

const SAMPLE_TOKEN = '21742633143463906290569050155826241533067272736897614950488156847949938836455'

export const close = defineEndpoint({
  id: 'trade.close',
  method: 'POST',
  path: '/trade/close',
  access: operator('trade'),
  summary: 'Sells a position at the market',
  description:
    'Sells shares of one token at what the book pays now, also of other coins and of the broker that is not chosen. 0 shares, the default, sells all of them; more than are held is refused, and so is a token that is not held. What is not taken at once is kept: call again. Params stand in the query; a body is refused.',
  params: z.object({
    token_id: z
      .string()
      .min(TOKEN_DIGITS.min)
      .max(TOKEN_DIGITS.max)
      .regex(/^\d+$/, 'must be digits only')
      .describe('From /trade/positions'),
    shares: z
      .number()
      .min(0)
      .max(SHARES_MAX)
      .refine(hasSixDecimals, 'must have six decimals at most')
      .default(0)
      .describe('0: all; six decimals at most'),
    broker: Broker.optional().describe(
      'Whose shares; without it those of the chosen broker, or of the other where the chosen one holds none',
    ),
  }),
  sample: { token_id: SAMPLE_TOKEN, shares: 0 },
  placeholders: {
    values: { token_id: 'TOKEN_ID' },
    from: 'Put the token of a position in place of `TOKEN_ID`: /trade/positions lists them.',
  },
  response: z.object({ timestamp: Timestamp, source: Source, ...ReportedOrder.shape }),
  caller: true,
  handle: async ({ bot, clock, sourceOf }: TradeServices, { token_id, shares, broker }, caller) => {
    const report = await bot.close({
      tokenId: token_id,
      sharesE6: BigInt(Math.round(shares * MILLION)),
      broker,
      by: caller.by,
    })
    return {
      timestamp: isoTime(clock.now()),
      source: sourceOf(BROKER_SOURCE),
      ...toReportedOrder(report),
    }
  },
})

/** The nearest number of millionths is the same number. */
function hasSixDecimals(value: number): boolean {
  return Math.round(value * MILLION) / MILLION === value
}
