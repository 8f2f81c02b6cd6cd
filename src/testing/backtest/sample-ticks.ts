import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createRandomStream } from '../../core/math/random.ts'

/** A Monday noon, two minutes and fourteen seconds into a window. */
export const START_MS = Date.UTC(2026, 0, 5, 12, 2, 14)
export const HEADERS = {
  trades: 'ts_exch,ts_local,price,qty,buyer_is_maker',
  bbo: 'ts_exch,ts_local,bid,bid_qty,ask,ask_qty',
  depth: 'ts_exch,ts_local,side,price,qty',
}
/** How far the recorder's clock is behind the exchange's. */
const CLOCK_BEHIND_MS = 1_270
const TICK = 0.01

type SampleQuote = { atMs: number; bid: number; bidSize: number; ask: number; askSize: number }
type SampleTrade = { atMs: number; price: number; size: number; isMaker: boolean }

/** A quote every 200 ms or so, and trades at one of its sides; the side with less size tends to give way. */
export function sampleTicks({ seconds, price = 100 }: { seconds: number; price?: number }) {
  const random = createRandomStream('ticks', 'sample')
  const quotes: SampleQuote[] = []
  const trades: SampleTrade[] = []
  let position = 0
  const draw = () => random.uniform(position++)
  let ticks = Math.round(price / TICK)
  let atMs = START_MS
  while (atMs < START_MS + seconds * 1_000) {
    const [bidSize, askSize] = [draw() * 5 + 0.001, draw() * 5 + 0.001].map((size) => Number(size.toFixed(5)))
    const [bid, ask] = [ticks, ticks + 1].map((level) => Number((level * TICK).toFixed(2)))
    quotes.push({ atMs, bid: bid ?? 0, bidSize: bidSize ?? 0, ask: ask ?? 0, askSize: askSize ?? 0 })
    const isMaker = draw() < 0.5
    const size = Number((0.001 + draw()).toFixed(5))
    if (draw() < 0.6) trades.push({ atMs: atMs + 20, price: (isMaker ? bid : ask) ?? 0, size, isMaker })
    if (draw() < 0.3) ticks += draw() * ((bidSize ?? 0) + (askSize ?? 0)) < (bidSize ?? 0) ? 1 : -1
    atMs += 50 + Math.floor(draw() * 300)
  }
  return { quotes, trades }
}

export function tradeRows(trades: readonly SampleTrade[]): string[] {
  return trades.map(
    ({ atMs, price, size, isMaker }) =>
      `${atMs},${atMs - CLOCK_BEHIND_MS},${price.toFixed(8)},${size.toFixed(8)},${isMaker ? 1 : 0}`,
  )
}

export function quoteRows(quotes: readonly SampleQuote[], { hasExchangeTime = true } = {}): string[] {
  return quotes.map(({ atMs, bid, bidSize, ask, askSize }) =>
    [hasExchangeTime ? atMs : '', atMs - CLOCK_BEHIND_MS, bid, bidSize, ask, askSize].join(','),
  )
}

/** The same book as changes of levels: the old best level is removed when another replaces it. */
export function depthRows(quotes: readonly SampleQuote[]): string[] {
  return quotes.flatMap(({ atMs, bid, bidSize, ask, askSize }, at) => {
    const before = quotes[at - 1]
    const row = (side: string, price: number, size: number) =>
      `${atMs},${atMs - CLOCK_BEHIND_MS},${side},${price},${size}`
    return [
      ...(before && before.bid !== bid ? [row('b', before.bid, 0)] : []),
      ...(before && before.ask !== ask ? [row('a', before.ask, 0)] : []),
      row('b', bid, bidSize),
      row('a', ask, askSize),
    ]
  })
}

export function writeCsv(folder: string, name: string, header: string, rows: readonly string[]): string {
  const file = join(folder, name)
  const text = `${[header, ...rows].join('\n')}\n`
  writeFileSync(file, name.endsWith('.gz') ? gzipSync(text) : text)
  return file
}
