import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { MINUTE_MS } from '../core/time.ts'
import type { Bar } from '../signals/history/bar.ts'

const NEEDED = ['ts', 'open', 'high', 'low', 'close', 'volume'] as const
type Column = (typeof NEEDED)[number]

/** One-minute bars of a CSV file, gzipped or not. The first fault is reported with its line. */
export async function readBars(file: string): Promise<Bar[]> {
  const bars: Bar[] = []
  let columns: Record<Column, number> | undefined
  let lineNumber = 0
  let lastMs = Number.NEGATIVE_INFINITY
  for await (const line of linesOf(file)) {
    lineNumber++
    if (line.trim() === '') continue
    if (!columns) {
      columns = parseHeader(line, file)
      continue
    }
    const bar = parseBar(line.split(','), columns)
    const fault = typeof bar === 'string' ? bar : bar.openMs <= lastMs ? 'ts does not rise' : undefined
    if (fault || typeof bar === 'string') throw new Error(`${file}, line ${lineNumber}: ${fault}`)
    lastMs = bar.openMs
    bars.push(bar)
  }
  if (bars.length === 0) throw new Error(`${file}: no bars; expected a header ${NEEDED.join(',')} and rows`)
  return bars
}

function linesOf(file: string): AsyncIterable<string> {
  const raw = createReadStream(file)
  const input = file.endsWith('.gz') ? pipeline(raw, createGunzip(), () => {}) : raw
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
  // It hands errors of its input on; once its lines are no longer read nobody else listens, and that ends the process.
  lines.on('error', () => {})
  // readline swallows errors of its input: a missing or cut file would read as an empty one.
  return failingWith(input, raw, lines)
}

async function* failingWith(
  input: NodeJS.ReadableStream,
  raw: Readable,
  lines: AsyncIterable<string>,
): AsyncIterable<string> {
  let failure: Error | undefined
  for (const stream of [input, raw])
    stream.on('error', (error: Error) => {
      failure ??= error
    })
  try {
    yield* lines
  } finally {
    raw.destroy()
  }
  if (failure) throw failure
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

/** A bar, or what is wrong with it. */
function parseBar(cells: readonly string[], at: Record<Column, number>): Bar | string {
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
  // Some venues round a range tighter than the prices in it; a range holds them all.
  const [top, bottom] = [Math.max(open, high, close), Math.min(open, low, close)]
  return { openMs, open, high: top, low: bottom, close, volume }
}
