import { z } from 'zod'
import { COINS } from '../../core/coin.ts'
import { PRICE_KINDS } from '../../feeds/events.ts'
import { type IndicatorReadings, REGIMES, type Signal } from '../../signals/signal.ts'
import { flag, maybe, number, shape, text } from './shape.ts'

/** A coin's signal as the engine has it, and why there is none. */
export type SignalValue = { signal: Signal | undefined; missing: string }

const reading = maybe(number)
const Readings = shape<IndicatorReadings>()({
  tickMomentum: reading,
  bookImbalance: reading,
  aggressorRatio: reading,
  rsi: reading,
  volumeSpike: reading,
  rateOfChange: reading,
  macd: reading,
  bollinger: reading,
})

const SignalShape = shape<Signal>()({
  coin: z.enum(COINS),
  asOfMs: number,
  windowStartS: number,
  price: z.number().positive(),
  priceKind: z.enum(PRICE_KINDS),
  regime: z.enum(REGIMES),
  indicators: Readings,
  unknownIndicators: z.record(z.string(), maybe(text)),
  version: number,
  probabilityUp: z.number().min(0).max(1),
  direction: z.enum(['UP', 'DOWN']),
  confidence: z.number().min(0).max(1),
  abstain: flag,
})

export const SignalValue = shape<SignalValue>()({ signal: maybe(SignalShape), missing: text })
