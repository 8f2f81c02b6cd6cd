import { COINS, type Coin } from '../../../core/coin.ts'
import { MINUTE_MS } from '../../../core/time/time.ts'
import type { ClosedCandle } from '../../history/closed-candle.ts'
import { type MinuteSample, SAMPLE_FIELDS } from '../minute-sample.ts'

/** A minute of one coin as it is kept: its candle, and what was seen at its end. Undefined where unknown. */
export type KeptMinute = {
  coin: Coin
  openMs: number
  candle: ClosedCandle | undefined
  sample: MinuteSample | undefined
}

const CANDLE = ['open', 'high', 'low', 'close', 'volume'] as const
const COLUMNS = ['ts', 'coin', ...CANDLE, ...SAMPLE_FIELDS]
/** First line of every file. A file with another one is of another version and is left alone. */
export const HEADER = COLUMNS.join()
/** Sums of sizes have digits that mean nothing. */
const VOLUME_FIGURES = 10

/** Without the line's end. An empty cell is unknown. */
export function toLine({ coin, openMs, candle, sample }: KeptMinute): string {
  const prices = CANDLE.map((name) => (candle ? shown(name, candle[name]) : ''))
  const seen = SAMPLE_FIELDS.map((_, at) => cellOf(sample?.[at] ?? Number.NaN))
  return [openMs, coin, ...prices, ...seen].join()
}

/** Undefined for a line that was cut off or damaged. */
export function parseLine(line: string): KeptMinute | undefined {
  const cells = line.split(',')
  const openMs = Number(cells[0])
  const coin = COINS.find((each) => each === cells[1])
  if (cells.length !== COLUMNS.length || !coin || !isMinute(openMs)) return undefined
  const numbers = cells.slice(2).map((cell) => (cell === '' ? Number.NaN : Number(cell)))
  // What is no number at all, as against an empty cell.
  if (numbers.some((value, at) => !Number.isFinite(value) && cells[at + 2] !== '')) return undefined
  const [open = 0, high = 0, low = 0, close = 0, volume = 0] = numbers
  const isWhole = low > 0 && high >= Math.max(open, close) && low <= Math.min(open, close) && volume >= 0
  const seen = Float64Array.from(numbers.slice(CANDLE.length))
  return {
    coin,
    openMs,
    candle: isWhole ? { openMs, open, high, low, close, volume } : undefined,
    sample: seen.every(Number.isNaN) ? undefined : seen,
  }
}

const isMinute = (ms: number) => Number.isSafeInteger(ms) && ms > 0 && ms % MINUTE_MS === 0

const shown = (name: (typeof CANDLE)[number], value: number) =>
  String(name === 'volume' ? Number(value.toPrecision(VOLUME_FIGURES)) : value)

const cellOf = (value: number) => (Number.isNaN(value) ? '' : String(value))
