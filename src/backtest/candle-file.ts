import { MINUTE_MS } from '../core/time/time.ts'
import type { ClosedCandle } from '../signals/history/closed-candle.ts'
import { openLines } from './text-lines.ts'

const NEEDED = ['ts', 'open', 'high', 'low', 'close', 'volume'] as const
type Column = (typeof NEEDED)[number]

/** One-minute candles of a CSV file, gzipped or not. Throws at the first bad line, with its number. */
export async function readCandles(file: string): Promise<ClosedCandle[]> {
  const candles: ClosedCandle[] = []
  let columns: Record<Column, number> | undefined
  let lineNumber = 0
  let lastMs = Number.NEGATIVE_INFINITY
  const enter = (line: string) => {
    lineNumber++
    if (line.trim() === '') return
    if (!columns) {
      columns = parseHeader(line, file)
      return
    }
    const candle = parseCandle(line.split(','), columns)
    const fault =
      typeof candle === 'string' ? candle : candle.openMs <= lastMs ? 'ts does not rise' : undefined
    if (fault || typeof candle === 'string') throw new Error(`${file}, line ${lineNumber}: ${fault}`)
    lastMs = candle.openMs
    candles.push(candle)
  }
  for await (const lines of openLines(file).batches) for (const line of lines) enter(line)
  if (candles.length === 0)
    throw new Error(`${file}: no candles; expected a header ${NEEDED.join(',')} and rows`)
  return candles
}

function parseHeader(line: string, file: string): Record<Column, number> {
  const names = line.split(',').map((name) => name.trim().toLowerCase())
  const missing = NEEDED.filter((name) => !names.includes(name))
  if (missing.length > 0) throw new Error(`${file}: the header lacks ${missing.join(', ')}`)
  const at = (name: Column) => names.indexOf(name)
  return {
    ts: at('ts'),
    open: at('open'),
    high: at('high'),
    low: at('low'),
    close: at('close'),
    volume: at('volume'),
  }
}

/** A candle, or what is wrong with it. */
function parseCandle(cells: readonly string[], at: Record<Column, number>): ClosedCandle | string {
  const number = (column: Column) => {
    const text = cells[at[column]]
    return text === undefined || text.trim() === '' ? Number.NaN : Number(text)
  }
  const openMs = number('ts')
  const [open, high, low, close] = [number('open'), number('high'), number('low'), number('close')]
  const volume = number('volume')
  if (!Number.isSafeInteger(openMs) || openMs < 0 || openMs % MINUTE_MS !== 0)
    return 'ts is not the open time of a minute in milliseconds'
  if (![open, high, low, close].every((price) => price > 0 && Number.isFinite(price)))
    return 'open, high, low or close is not a price'
  if (!(volume >= 0 && Number.isFinite(volume))) return 'volume is not a number of at least 0'
  if (high < low) return 'high is below low'
  // Some venues round high and low so that open or close lie outside: widen the range.
  const [top, bottom] = [Math.max(open, high, close), Math.min(open, low, close)]
  return { openMs, open, high: top, low: bottom, close, volume }
}
