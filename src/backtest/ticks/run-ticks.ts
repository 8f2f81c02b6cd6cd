import type { Coin } from '../../core/coin.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { windowAt } from '../../core/time/window.ts'
import type { ClosedCandle } from '../../signals/history/closed-candle.ts'
import type { Model } from '../../signals/model/model.ts'
import { mergeTicks, type ReplayClock } from './merge.ts'
import { createReplay, type Replay, type Second } from './replay.ts'
import { lineOfSecond } from './second-line.ts'
import type { Format } from './tick.ts'
import { openTickFile } from './tick-file.ts'
import { createTickMetrics, type TickFigures } from './tick-metrics.ts'

export type TickRun = {
  coin: Coin
  ticks: string
  book: string | undefined
  /** Minutes from before the ticks; may be none. */
  candles: readonly ClosedCandle[]
  model: Model
  everyS: number
  write: (lines: string) => void | Promise<void>
  /** Bytes of all files. */
  progress?: (done: number, all: number) => void
}

/** Times are milliseconds of the clock by which the rows were ordered. */
export type TickSummary = {
  symbol: string
  clock: ReplayClock
  book: Format | null
  from_ms: number
  to_ms: number
  warm_up_minutes: number
  trades: number
  book_rows: number
  events: number
  lines: number
} & TickFigures

/** A line at every whole multiple of `everyS`, from the first row on. The same files give the same lines. */
export async function runTicks(run: TickRun): Promise<TickSummary> {
  const { coin, ticks, book, candles, model, everyS, write, progress } = run
  const symbol = `${coin}USDT`
  const files = [await openTickFile(ticks, ['trades'])]
  if (book !== undefined) files.push(await openTickFile(book, ['bbo', 'depth_diff']))
  const { clock, batches } = await mergeTicks(files)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const metrics = createTickMetrics({ openings: openingsOf(candles) })
  let text = ''
  let replay: Replay | undefined
  const counts = { trades: 0, book_rows: 0, lines: 0 }
  let [fromMs, toMs] = [0, 0]
  const onSecond = (second: Second) => {
    metrics.second(second)
    if ((second.atMs / 1000) % everyS !== 0) return
    text += lineOfSecond(symbol, second)
    counts.lines++
  }
  for await (const batch of batches) {
    for (const timed of batch) {
      if (!replay) {
        fromMs = timed.atMs
        replay = createReplay({ coin, model, candles, startMs: fromMs, onSecond })
      }
      if (timed.tick.kind === 'trade') counts.trades++
      else counts.book_rows++
      replay.tick(timed)
      toMs = timed.atMs
    }
    await write(text)
    text = ''
    progress?.(
      files.reduce((sum, file) => sum + file.bytesRead, 0),
      bytes,
    )
  }
  replay?.end()
  await write(text)
  return {
    symbol,
    clock,
    book: files[1]?.format ?? null,
    from_ms: fromMs,
    to_ms: toMs,
    warm_up_minutes: replay?.warmUpMinutes ?? 0,
    ...counts,
    events: counts.trades + counts.book_rows,
    ...metrics.read(),
  }
}

/** Prices at the start of windows, by epoch seconds: the close of the minute that ends there. */
function openingsOf(candles: readonly ClosedCandle[]): ReadonlyMap<number, number> {
  const ends = candles.map(({ openMs, close }) => [openMs + MINUTE_MS, close] as const)
  return new Map(
    ends
      .filter(([endMs]) => windowAt(endMs).startS * 1000 === endMs)
      .map(([endMs, close]) => [endMs / 1000, close]),
  )
}
