import { z } from 'zod'
import type { Coin } from '../../core/coin.ts'
import { secondsRemaining, windowAt } from '../../core/time/window.ts'
import { REGIMES, type Signal } from '../../signals/signal.ts'
import { isoTime, PriceKind, RecordId, Source, Timestamp, WindowEdge } from '../fields.ts'
import { roundPrice } from '../market/price.ts'
import { RecordNote, toRecordNote } from './record.ts'
import type { SignalServices } from './services.ts'

/** Where all signals come from: what our engine makes of the venues and the oracle. */
export const SIGNAL_SOURCE = 'signal_engine'
/** Events arrive many times a second; a signal that has had none for this long is stale. */
export const SIGNAL_FRESH_MS = 10_000

/** What is said of a window, without how it was found. */
export const Verdict = z.object({
  direction: z
    .enum(['UP', 'DOWN'])
    .describe('The likelier close against the opening price; a close at the opening price is UP'),
  confidence: z.number().min(0.5).max(1).describe('Probability of that direction'),
  probability_up: z.number().min(0).max(1).describe('Probability of a close at or above the opening price'),
  abstain: z
    .boolean()
    .describe(
      'True when the probability is indistinguishable from a coin flip, or minutes behind it are late or missing',
    ),
  regime: z.enum(REGIMES).describe('What kind of market the last hour was; the list may grow'),
})

/** What a verdict is about: near the end of a window it says little more than where the price stands. */
export const WindowSpan = z.object({
  window_start: WindowEdge.describe('Epoch second at which the window opened'),
  window_end: WindowEdge.describe('Epoch second at which it closes'),
  seconds_remaining: z.int().min(0),
})

const WindowFields = z.object({
  ...WindowSpan.shape,
  price_usd: z.number().positive().nullable().describe('Price now; null while no dollar price is fresh'),
  price_kind: PriceKind.describe(
    'What opening and close are compared on: the 60-second average (twap_60s) that markets resolve on, or spot while the average at the opening is not known',
  ),
})

const RecordFields = z.object({
  record_id: RecordId.nullable().describe(
    'Entry of this coin and window in the public record: what we said before the window opened, which can differ from the value now. Null when nothing was committed',
  ),
  record: RecordNote.nullable(),
  record_reason: z
    .string()
    .optional()
    .describe('Why record_id and record are null; there only while they are'),
})

/** One coin, all but its indicators. */
export const SignalCore = z.object({
  ...Verdict.shape,
  ...WindowFields.shape,
  timestamp: Timestamp,
  source: Source,
  ...RecordFields.shape,
})

/** Rounded once; direction and confidence follow from what is shown, so that a reader finds them consistent. */
export function toVerdict({ probabilityUp, abstain, regime }: Signal): z.input<typeof Verdict> {
  const probability_up = roundProbability(probabilityUp)
  const isUp = probability_up >= 0.5
  return {
    direction: isUp ? 'UP' : 'DOWN',
    confidence: isUp ? probability_up : roundProbability(1 - probability_up),
    probability_up,
    abstain,
    regime,
  }
}

const PROBABILITY_STEPS = 10_000
const roundProbability = (value: number) => Math.round(value * PROBABILITY_STEPS) / PROBABILITY_STEPS

export function toSignalCore(services: SignalServices, signal: Signal): z.input<typeof SignalCore> {
  const { coin, asOfMs, windowStartS, priceKind } = signal
  // The market's price, which is in dollars even while the signal falls back to the USDT venue.
  const price = services.market.price(coin)
  const entry = services.record?.entryFor(coin, windowStartS)
  return {
    ...toVerdict(signal),
    ...toWindowSpan(signal, services.clock.now()),
    price_usd: price ? roundPrice(price.price) : null,
    price_kind: priceKind,
    timestamp: isoTime(asOfMs),
    source: services.sourceOf(SIGNAL_SOURCE),
    record_id: entry?.recordId ?? null,
    record: entry ? toRecordNote(entry) : null,
    ...(!entry && { record_reason: whyNoEntry(services, signal) }),
  }
}

export function toWindowSpan({ windowStartS }: Signal, nowMs: number): z.input<typeof WindowSpan> {
  const window = windowAt(windowStartS * 1000)
  return {
    window_start: window.startS,
    window_end: window.endS,
    seconds_remaining: secondsRemaining(window, nowMs),
  }
}

const whyNoEntry = ({ record }: SignalServices, { coin, windowStartS }: Signal) =>
  record ? record.whyNoEntry(coin, windowStartS) : 'no record is kept here'

/** Differs whenever a reply about these coins would. */
export function signalChanges(
  { signals, record, results, clock }: SignalServices,
  coins: readonly Coin[],
): unknown[] {
  const parts = coins.flatMap((coin) => {
    const signal = signals.signal(coin)
    return [signal?.version, signal?.asOfMs, signal && record?.entryFor(coin, signal.windowStartS)]
  })
  return [Math.floor(clock.now() / 1000), results?.version, ...parts]
}

/** No reply is fresher than the oldest thing in it. */
export const oldestOf = (times: readonly number[]): string => isoTime(Math.min(...times))
