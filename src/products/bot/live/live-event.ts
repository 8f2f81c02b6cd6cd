import { z } from 'zod'
import { Source } from '../../fields.ts'
import { StatusWords } from '../bot-status.ts'
import { ClosedSignal } from '../closed-signals.ts'
import { Scalper } from '../scalper.ts'

/** Where live prices come from, and all that is told late. */
export const LIVE_SOURCE = 'oracle_signal_engine_record_and_bot_ledger'

const Second = z.int().describe('Epoch second')
const Share = z.number().min(0).max(1)

const ClosedCall = ClosedSignal.pick({
  window_start: true,
  direction: true,
  confidence: true,
  abstain: true,
  outcome: true,
  hit: true,
  record_path: true,
})

const LiveBot = z.object({ ...Scalper.omit({ equity_curve: true }).shape, ...StatusWords.shape })

/** A list that grows by itself: the newest points, or in a snapshot all of them. A point replaces the one of its second. */
const Points = {
  price: z
    .array(z.tuple([Second, z.number().positive()]))
    .describe('BTC in dollars: the 60-second average that five-minute markets resolve on'),
  delayed: z
    .array(z.tuple([Second, Share.nullable(), Share.nullable(), z.number().min(-1).max(1).nullable()]))
    .describe(
      'Five minutes late, so of a window that has closed: our probability that it closes UP, the price of UP on the prediction market, and the imbalance of the order book from -1 (sellers) to 1 (buyers). Null: not known then',
    ),
  equity: z.array(z.tuple([Second, z.number()])).describe('Profit of the account after fees, in dollars'),
}

export const LiveEvent = z.object({
  timestamp: z.iso.datetime().describe('Time of the event'),
  source: Source,
  snapshot: z.boolean().describe('True: it replaces everything; false: what is left out has not changed'),
  window: z
    .object({ window_start: z.int(), window_end: z.int(), open_price_usd: z.number().positive().nullable() })
    .optional()
    .describe('The five-minute window that is open'),
  ...Points,
  signals: z
    .array(ClosedCall)
    .optional()
    .describe('What we said of closed windows before they opened, and what came of it; the newest last'),
  bot: LiveBot.nullable().optional().describe('Null where its figures cannot be read right now'),
})
export type LiveEvent = z.input<typeof LiveEvent>
