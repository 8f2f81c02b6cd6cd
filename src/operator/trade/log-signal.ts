import { z } from 'zod'
import { operator } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { ServiceError } from '../../core/service-error.ts'
import { DAY_MS, SECOND_MS } from '../../core/time/time.ts'
import { WINDOW_S, windowAt } from '../../core/time/window.ts'
import { isoTime, Source, Timestamp } from '../../products/fields.ts'
import { Side, WindowStart } from '../fields.ts'
import { OPERATOR_SOURCE } from '../sources.ts'
import { Line } from '../texts.ts'
import type { TradeServices } from './services.ts'

const PRICE_MAX = 1_000_000_000
const SOURCE_CHARS = 64
const INDICATORS_MAX = 64
const INDICATOR_NAME_CHARS = 64
const INDICATORS_BYTES = 2_048
/** Older windows say nothing about a model: they are known. */
const OLDEST_S = DAY_MS / SECOND_MS

const Indicators = z
  .record(
    z.string().min(1).max(INDICATOR_NAME_CHARS),
    z.union([z.number(), z.string(), z.boolean(), z.null()]),
  )
  .refine(
    (values) => Object.keys(values).length <= INDICATORS_MAX,
    `must have at most ${INDICATORS_MAX} entries`,
  )
  .refine(
    (values) => Buffer.byteLength(JSON.stringify(values)) <= INDICATORS_BYTES,
    `must have at most ${INDICATORS_BYTES} bytes as JSON`,
  )

const LogSignalRequest = z.strictObject({
  window_start: WindowStart,
  side: Side.describe('What the verdict has crossed into'),
  confidence: z.number().min(0).max(1).describe('Probability of that side'),
  price: z.number().positive().max(PRICE_MAX).describe('Of BTC in dollars when the signal was made'),
  indicators: Indicators.optional().describe('Numbers behind it, name to value'),
  source: Line(SOURCE_CHARS).optional().describe('What made it, such as the name of a model'),
})

export const logSignal = defineEndpoint({
  id: 'trade.log_signal',
  method: 'POST',
  paramsIn: 'body',
  path: '/trade/log-signal',
  access: operator('trade'),
  summary: 'Stores a signal of a five-minute BTC window',
  description:
    'Keeps what a model of yours said when its verdict crossed into UP or DOWN. One per window and side counts, the first: a second one changes nothing and is answered with duplicate true. From the window of a day ago to the next one can be logged, and 90 days are kept. /trade/signal-stats says how often such signals came true; what is logged after its window has closed is not counted there.',
  params: LogSignalRequest,
  sample: { window_start: 1767614400, side: 'UP', confidence: 0.61, price: 100012.34, source: 'my-model' },
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    window_start: WindowStart,
    side: Side,
    stored: z.boolean(),
    duplicate: z.boolean().describe('True: this window and side was there, and stays as it was'),
  }),
  caller: true,
  handle: async ({ operatorBook, clock, sourceOf }: TradeServices, signal, caller) => {
    const atMs = clock.now()
    checkWindow(signal.window_start, atMs)
    const isStored = await operatorBook.addSignal({
      windowStartS: signal.window_start,
      side: signal.side,
      coin: 'BTC',
      confidence: signal.confidence,
      price: signal.price,
      indicators: signal.indicators && JSON.stringify(signal.indicators),
      source: signal.source,
      by: caller.by,
      atMs,
    })
    return {
      timestamp: isoTime(atMs),
      source: sourceOf(OPERATOR_SOURCE),
      window_start: signal.window_start,
      side: signal.side,
      stored: isStored,
      duplicate: !isStored,
    }
  },
})

function checkWindow(windowStartS: number, nowMs: number): void {
  const { startS } = windowAt(nowMs)
  const latestS = startS + WINDOW_S
  const earliestS = startS - OLDEST_S
  if (windowStartS > latestS)
    throw new ServiceError('bad_request', `the window ${windowStartS} is too far ahead`, {
      hint: `the latest that can be logged now is ${latestS}`,
    })
  if (windowStartS < earliestS)
    throw new ServiceError('bad_request', `the window ${windowStartS} is more than a day old`, {
      hint: `the earliest that can be logged now is ${earliestS}: log a signal when it is made`,
    })
}
