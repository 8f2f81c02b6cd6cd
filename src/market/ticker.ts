import type { Candle, Candles } from './candles.ts'

const TICKER_MINUTES = 1_440

/** The last 24 hours to the minute. `fromMs` is later than 24 hours ago when history is shorter. */
export type Ticker = {
  last: number
  open: number
  high: number
  low: number
  volume: number
  changePercent: number
  fromMs: number
  asOfMs: number
}

type Span = { open: number; high: number; low: number; volume: number; fromMs: number }

/** Closed minutes are summed once a minute, so that a reading after a trade costs O(1). */
export function createTicker(candles: Candles): { read(asOfMs: number): Ticker | undefined } {
  let closed: Span | undefined
  let closedFor: number | undefined
  let closedRevision = -1
  return {
    read(asOfMs) {
      const current = candles.last(1)[0]
      if (!current) return undefined
      if (closedFor !== current.openMs || closedRevision !== candles.revision) {
        closed = spanOf(candles.last(TICKER_MINUTES).slice(0, -1))
        closedFor = current.openMs
        closedRevision = candles.revision
      }
      return toTicker(join(closed, current), current.close, asOfMs)
    },
  }
}

function spanOf(candles: readonly Candle[]): Span | undefined {
  let span: Span | undefined
  for (const candle of candles) span = join(span, candle)
  return span
}

function join(span: Span | undefined, { open, high, low, volume, openMs }: Candle): Span {
  if (!span) return { open, high, low, volume, fromMs: openMs }
  return {
    open: span.open,
    high: Math.max(span.high, high),
    low: Math.min(span.low, low),
    volume: span.volume + volume,
    fromMs: span.fromMs,
  }
}

function toTicker(span: Span, last: number, asOfMs: number): Ticker {
  return { ...span, last, changePercent: ((last - span.open) / span.open) * 100, asOfMs }
}
