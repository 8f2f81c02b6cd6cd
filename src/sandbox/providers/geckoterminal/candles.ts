import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../core/time/time.ts'
import type { SimPool, Span } from '../../tokens/token-world.ts'
import type { TokenMarket } from '../token-market.ts'

const DEFAULT_CANDLES = 100
const MAX_CANDLES = 1_000
/** Fewer than the real ones: each has to be worked out from the course of the price. */
const MAX_WORKED_OUT = 180
/** Prices looked at within a candle, beside its ends. */
const LOOKS = 3

/** Each timeframe with how many of it one candle may have, and the span whose volume is the nearest. */
const TIMEFRAMES: Readonly<
  Record<string, { ms: number; aggregates: readonly number[]; span: Span; spanMs: number }>
> = {
  minute: { ms: MINUTE_MS, aggregates: [1, 5, 15], span: 'm5', spanMs: 5 * MINUTE_MS },
  hour: { ms: HOUR_MS, aggregates: [1, 4, 12], span: 'h1', spanMs: HOUR_MS },
  day: { ms: DAY_MS, aggregates: [1], span: 'h24', spanMs: DAY_MS },
}

type Candle = readonly [openS: number, open: number, high: number, low: number, close: number, volume: number]

/** Newest first, as GeckoTerminal lists them; a text says what is wrong with the request. */
export function candlesOf(
  pool: SimPool,
  market: TokenMarket,
  timeframe: string,
  query: URLSearchParams,
): readonly Candle[] | string {
  const frame = Object.hasOwn(TIMEFRAMES, timeframe) ? TIMEFRAMES[timeframe] : undefined
  const aggregate = numberOf(query, 'aggregate', 1)
  const limit = numberOf(query, 'limit', DEFAULT_CANDLES)
  const beforeS = numberOf(query, 'before_timestamp', Math.floor(market.nowMs() / 1000) + 1)
  if (!frame?.aggregates.includes(aggregate)) return 'Invalid aggregate'
  if (!(limit >= 1 && limit <= MAX_CANDLES) || Number.isNaN(beforeS)) return 'Invalid limit'
  const stepMs = frame.ms * aggregate
  const token = query.get('token') === 'quote' ? pool.quote : pool.token
  const priceAt = (atMs: number) => market.world.priceUsd(token, atMs) ?? 0
  const volumeAt = (atMs: number) =>
    ((market.world.pool(pool.id, atMs)?.volumeUsd[frame.span] ?? 0) * stepMs) / frame.spanMs
  const lastMs = Math.min(market.nowMs(), beforeS * 1000 - 1)
  const candles: Candle[] = []
  for (
    let openMs = lastMs - (lastMs % stepMs);
    candles.length < Math.min(limit, MAX_WORKED_OUT);
    openMs -= stepMs
  ) {
    const endMs = Math.min(openMs + stepMs, market.nowMs())
    if (endMs <= pool.createdMs) break
    const startMs = Math.max(openMs, pool.createdMs)
    const prices = Array.from({ length: LOOKS + 2 }, (_, i) =>
      priceAt(startMs + ((endMs - startMs) * i) / (LOOKS + 1)),
    )
    const [open, close] = [prices[0] ?? 0, prices.at(-1) ?? 0]
    candles.push([openMs / 1000, open, Math.max(...prices), Math.min(...prices), close, volumeAt(endMs)])
  }
  return candles
}

function numberOf(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name)
  if (text === null) return fallback
  return /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
}
