import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { ClosedCandle } from '../../signals/history/closed-candle.ts'
import {
  depthRows,
  HEADERS,
  quoteRows,
  START_MS,
  sampleTicks,
  tradeRows,
  writeCsv,
} from '../../testing/backtest/sample-ticks.ts'
import { randomCandles } from '../../testing/signals/random-candles.ts'
import { sampleModel } from '../../testing/signals/sample-model.ts'
import { runTicks, type TickRun } from './run-ticks.ts'

const PART_MS = Math.floor(START_MS / MINUTE_MS) * MINUTE_MS
const folder = mkdtempSync(join(tmpdir(), 'tollbook-ticks-'))
const model = sampleModel()

/** Up to and including the minute in which the ticks begin. */
const candles: ClosedCandle[] = randomCandles({
  seed: 'BTC',
  count: 801,
  startMs: PART_MS - 800 * MINUTE_MS,
  tick: 0.01,
})
const { quotes, trades } = sampleTicks({ seconds: 620, price: candles.at(-2)?.close ?? 100 })
const tradesFile = writeCsv(folder, 'trades.csv.gz', HEADERS.trades, tradeRows(trades))
const quotesFile = writeCsv(folder, 'bbo.csv', HEADERS.bbo, quoteRows(quotes))
const depthFile = writeCsv(folder, 'depth.csv.gz', HEADERS.depth, depthRows(quotes))

type Line = {
  as_of: number
  window_start: number
  price: number | null
  p_up: number | null
  abstain: boolean
  direction: string | null
  indicators: Record<string, number | null>
}

async function replay(changes: Partial<TickRun> = {}) {
  let text = ''
  const summary = await runTicks({
    coin: 'BTC',
    ticks: tradesFile,
    book: quotesFile,
    candles,
    model,
    everyS: 1,
    write: (lines) => {
      text += lines
    },
    ...changes,
  })
  const lines = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
  return { text, lines, summary }
}

const whole = await replay()

describe('what is written', () => {
  test('one line a second from the first row to the last', () => {
    const seconds = whole.lines.map((line) => line.as_of)
    expect(seconds).toEqual(Array.from({ length: 620 }, (_, at) => START_MS / 1000 + at))
    for (const { as_of, window_start } of whole.lines)
      expect(window_start).toBe(Math.floor(as_of / 300) * 300)
  })

  test('the price is the mid of the newest quote at that second', () => {
    for (const { as_of, price } of whole.lines) {
      const quote = quotes.findLast(({ atMs }) => atMs <= as_of * 1000)
      expect(price).toBeCloseTo(((quote?.bid ?? 0) + (quote?.ask ?? 0)) / 2, 8)
    }
  })

  test('with enough history there is a prediction at every second from the first trade on, in every window', () => {
    expect(whole.summary.warm_up_minutes).toBe(800)
    const firstTradeMs = trades[0]?.atMs ?? 0
    for (const line of whole.lines.filter(({ as_of }) => as_of * 1000 >= firstTradeMs)) {
      expect(line.p_up).toBeGreaterThan(0)
      expect(line.p_up).toBeLessThan(1)
      expect(line.direction).toBe((line.p_up ?? 0) >= 0.5 ? 'UP' : 'DOWN')
    }
    expect(new Set(whole.lines.map((line) => line.window_start)).size).toBe(3)
    expect(whole.lines.at(-1)?.indicators).not.toContain(null)
  })

  test('without history there is no prediction, but indicators of ticks', async () => {
    const { lines, summary } = await replay({ candles: [] })
    expect(summary.warm_up_minutes).toBe(0)
    for (const line of lines) expect(line).toMatchObject({ p_up: null, direction: null, abstain: true })
    const last = lines.at(-1)?.indicators
    expect(last).toMatchObject({ rsi: null, macd: null })
    for (const name of ['ob_imbalance', 'aggressor_ratio', 'tick_momentum'])
      expect(last?.[name]).toBe(whole.lines.at(-1)?.indicators[name])
    expect(last?.volume_spike).toBeGreaterThan(0)
  })

  test('changes of levels give the prices that the best of both sides gives', async () => {
    const { lines, summary } = await replay({ book: depthFile })
    expect(summary.book).toBe('depth_diff')
    expect(lines.map(({ price, p_up }) => [price, p_up])).toEqual(
      whole.lines.map(({ price, p_up }) => [price, p_up]),
    )
  })

  test('without a book trades are the price', async () => {
    const { lines } = await replay({ book: undefined })
    for (const { as_of, price, indicators } of lines) {
      expect(price).toBe(trades.findLast(({ atMs }) => atMs <= as_of * 1000)?.price)
      expect(indicators.ob_imbalance).toBeNull()
    }
    expect(lines.filter((line) => line.p_up !== null).length).toBeGreaterThan(610)
  })

  test('fewer lines when asked for: those of the whole run', async () => {
    const { lines, summary } = await replay({ everyS: 7 })
    expect(lines).toEqual(whole.lines.filter((line) => line.as_of % 7 === 0))
    expect({ ...summary, lines: 620 }).toEqual(whole.summary)
  })
})

test('the same files give the same bytes', async () => {
  const again = await replay()
  expect(again.text).toBe(whole.text)
  expect(again.summary).toEqual(whole.summary)
})

describe('nothing of the future is used', () => {
  test.each([30_500, 166_000, 299_999, 400_123])('rows after %i ms change no line before', async (cutMs) => {
    const isKept = ({ atMs }: { atMs: number }) => atMs <= START_MS + cutMs
    const cutTrades = writeCsv(folder, 'cut-trades.csv', HEADERS.trades, tradeRows(trades.filter(isKept)))
    const cutQuotes = writeCsv(folder, 'cut-bbo.csv', HEADERS.bbo, quoteRows(quotes.filter(isKept)))
    const { text, lines } = await replay({ ticks: cutTrades, book: cutQuotes })
    expect(lines.length).toBeGreaterThanOrEqual(Math.floor(cutMs / 1000))
    expect(whole.text.startsWith(text)).toBe(true)
  })

  test('other rows after a moment change no line before', async () => {
    const changedMs = START_MS + 200_000
    const later = trades.map((trade) =>
      trade.atMs > changedMs ? { ...trade, price: trade.price * 2 } : trade,
    )
    const file = writeCsv(folder, 'changed.csv', HEADERS.trades, tradeRows(later))
    const { lines } = await replay({ ticks: file })
    expect(lines.slice(0, 201)).toEqual(whole.lines.slice(0, 201))
    expect(lines.slice(201)).not.toEqual(whole.lines.slice(201))
  })

  test('minutes that close after the ticks begin are not used before', async () => {
    const wild = candles.map((candle) =>
      candle.openMs === PART_MS ? { ...candle, close: candle.close * 1.5, high: candle.high * 1.5 } : candle,
    )
    const later = randomCandles({ seed: 'later', count: 20, startMs: PART_MS + MINUTE_MS })
    const { lines } = await replay({ candles: [...wild, ...later] })
    expect(lines.slice(0, 46)).toEqual(whole.lines.slice(0, 46))
    expect(lines).not.toEqual(whole.lines)
  })
})

describe('clocks', () => {
  test('a file without exchange time puts all rows in the order of the recorder', async () => {
    const file = writeCsv(folder, 'local.csv', HEADERS.bbo, quoteRows(quotes, { hasExchangeTime: false }))
    const { lines, summary } = await replay({ book: file, candles: [] })
    expect(summary.clock).toBe('local')
    expect(whole.summary.clock).toBe('exchange')
    // On the recorder's clock everything is as far behind, trades as much as quotes.
    const behindMs = 1_270
    for (const { as_of, price } of lines) {
      const quote = quotes.findLast(({ atMs }) => atMs - behindMs <= as_of * 1000)
      expect(price).toBeCloseTo(((quote?.bid ?? 0) + (quote?.ask ?? 0)) / 2, 8)
    }
  })
})

describe('holes', () => {
  test('a book that stops soon gives neither price nor imbalance', async () => {
    const stopMs = START_MS + 100_000
    const file = writeCsv(
      folder,
      'stops.csv',
      HEADERS.bbo,
      quoteRows(quotes.filter(({ atMs }) => atMs <= stopMs)),
    )
    const { lines } = await replay({ book: file })
    expect(lines[99]?.indicators.ob_imbalance).not.toBeNull()
    for (const { indicators } of lines.slice(117)) expect(indicators.ob_imbalance).toBeNull()
  })

  test('two minutes without any row give no prediction, and are not taken for quiet minutes', async () => {
    const isKept = ({ atMs }: { atMs: number }) => atMs <= START_MS + 100_000 || atMs > START_MS + 250_000
    const cutTrades = writeCsv(folder, 'hole-trades.csv', HEADERS.trades, tradeRows(trades.filter(isKept)))
    const cutQuotes = writeCsv(folder, 'hole-bbo.csv', HEADERS.bbo, quoteRows(quotes.filter(isKept)))
    const { lines } = await replay({ ticks: cutTrades, book: cutQuotes })
    expect(lines).toHaveLength(620)
    for (const line of lines.slice(112, 250)) expect(line).toMatchObject({ price: null, p_up: null })
    expect(lines[252]?.price).not.toBeNull()
  })

  test('minutes that do not reach the ticks are refused', async () => {
    await expect(replay({ candles: candles.slice(0, -2) })).rejects.toThrow(
      'the minute before the ticks, 2026-01-05T12:01:00.000Z, is not among the candles',
    )
  })
})

describe('figures', () => {
  test('events, and the share of seconds at which an indicator is known', () => {
    const { events, trades: tradeCount, book_rows, warm, seconds } = whole.summary
    expect([tradeCount, book_rows, events]).toEqual([
      trades.length,
      quotes.length,
      trades.length + quotes.length,
    ])
    for (const [name, share] of Object.entries(warm))
      expect(share).toBeCloseTo(
        whole.lines.filter((line) => line.indicators[name] !== null).length / seconds,
        5,
      )
    expect(warm.ob_imbalance).toBe(1)
    expect(warm.aggressor_ratio).toBeCloseTo(560 / 620, 2)
  })

  test.each([
    [1, 0],
    [5, 1],
    [10, 2],
  ] as const)('imbalance against the mid %i s later, as counted over the rows', (horizonS, at) => {
    const newest = (atMs: number) => quotes.findLast((quote) => quote.atMs <= atMs) ?? quotes[0]
    const seen = whole.lines.slice(0, 620 - horizonS).map(({ as_of }) => {
      const [now, later] = [newest(as_of * 1000), newest((as_of + horizonS) * 1000)]
      const move = Math.sign((later?.bid ?? 0) - (now?.bid ?? 0))
      return { move, isHit: move === Math.sign((now?.bidSize ?? 0) - (now?.askSize ?? 0)) }
    })
    const moved = seen.filter(({ move }) => move !== 0)
    expect(whole.summary.imbalance[at]).toEqual({
      horizon_s: horizonS,
      count: moved.length,
      unmoved: seen.length - moved.length,
      hit_rate: Number((moved.filter(({ isHit }) => isHit).length / moved.length).toFixed(6)),
    })
    expect(moved.length).toBeGreaterThan(100)
  })

  test('Brier score of windows whose both ends are known', () => {
    const starts = [...new Set(whole.lines.map((line) => line.window_start))]
    const priceAt = (startS: number) =>
      whole.lines.find((line) => line.as_of === startS)?.price ??
      candles.find((candle) => candle.openMs + MINUTE_MS === startS * 1000)?.close
    const squares = starts.flatMap((startS) => {
      const [open, close] = [priceAt(startS), priceAt(startS + 300)]
      if (open === undefined || close === undefined) return []
      const mine = whole.lines.filter((line) => line.window_start === startS && line.p_up !== null)
      return mine.map((line) => ((line.p_up ?? 0) - (close >= open ? 1 : 0)) ** 2)
    })
    const { windows, count, brier } = whole.summary.p_up
    expect([windows, count]).toEqual([2, squares.length])
    expect(brier).toBeCloseTo(squares.reduce((sum, each) => sum + each, 0) / squares.length, 5)
  })
})
