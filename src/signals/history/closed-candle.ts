import type { Candle } from '../../market/candles.ts'

/** A closed minute of one coin, as the models see it. It is not known before `openMs` plus one minute. */
export type ClosedCandle = Pick<Candle, 'openMs' | 'open' | 'high' | 'low' | 'close' | 'volume'>
