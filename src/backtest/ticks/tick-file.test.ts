import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  depthRows,
  HEADERS,
  quoteRows,
  START_MS,
  sampleTicks,
  tradeRows,
  writeCsv,
} from '../../testing/backtest/sample-ticks.ts'
import { mergeTicks } from './merge.ts'
import type { Format } from './tick.ts'
import { openTickFile } from './tick-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollbook-tick-file-'))
const BOOKS: Format[] = ['bbo', 'depth_diff']

async function readAll(file: string, wanted: readonly Format[] = ['trades']) {
  const { batches } = await mergeTicks([await openTickFile(file, wanted)])
  const all = []
  for await (const batch of batches) all.push(...batch)
  return all
}

const T = START_MS
const good = [`${T},${T - 9},100.5,0.25,1`, `${T + 5},${T - 4},100.5,1,0`]

test('a row is a tick; further columns and another order of them do not matter', async () => {
  const expected = [
    { kind: 'trade', line: 2, exchangeMs: T, localMs: T - 9, price: 100.5, size: 0.25, side: 'sell' },
    { kind: 'trade', line: 3, exchangeMs: T + 5, localMs: T - 4, price: 100.5, size: 1, side: 'buy' },
  ]
  const plain = writeCsv(folder, 'plain.csv', HEADERS.trades, good)
  expect((await readAll(plain)).map(({ tick }) => tick)).toEqual(expected)
  const rows = good.map((row) => row.split(',')).map(([e, l, p, q, m]) => `${q},${p},x,${m},${l},${e}\r`)
  const other = writeCsv(folder, 'other.csv.gz', 'QTY,Price,id,buyer_is_maker,ts_local,ts_exch\r', rows)
  expect((await readAll(other)).map(({ tick }) => tick)).toEqual(expected)
})

test('both kinds of book are distinguished by their header', async () => {
  const { quotes } = sampleTicks({ seconds: 2 })
  const bbo = await openTickFile(writeCsv(folder, 'a.csv', HEADERS.bbo, quoteRows(quotes)), BOOKS)
  const depth = await openTickFile(writeCsv(folder, 'b.csv', HEADERS.depth, depthRows(quotes)), BOOKS)
  expect([bbo.format, depth.format]).toEqual(['bbo', 'depth_diff'])
})

test('files are merged by time, the first file first at the same millisecond', async () => {
  const { quotes, trades } = sampleTicks({ seconds: 60 })
  const tied = trades.map((trade, at) => (at % 2 ? trade : { ...trade, atMs: trade.atMs - 20 }))
  const files = [
    await openTickFile(writeCsv(folder, 'm.csv.gz', HEADERS.trades, tradeRows(tied)), ['trades']),
    await openTickFile(writeCsv(folder, 'n.csv.gz', HEADERS.bbo, quoteRows(quotes)), BOOKS),
  ]
  const { clock, batches } = await mergeTicks(files)
  expect(clock).toBe('exchange')
  const all = []
  for await (const batch of batches) all.push(...batch)
  const rank = { trade: 0, quote: 1, depth: 1 }
  const sorted = all.toSorted((a, b) => a.atMs - b.atMs || rank[a.tick.kind] - rank[b.tick.kind])
  expect(all).toHaveLength(quotes.length + tied.length)
  expect(all).toEqual(sorted)
})

describe('the first error is reported with file and line', () => {
  test.each([
    ['1,2,3', '3 cells where the header names 5'],
    [`${T / 1000},${T},100,1,0`, 'ts_exch is not a time in milliseconds'],
    [`${T},${T * 1000},100,1,0`, 'ts_local is not a time in milliseconds'],
    [`${T}.5,${T},100,1,0`, 'ts_exch is not a time in milliseconds'],
    [',,100,1,0', 'ts_exch and ts_local are both empty'],
    [`,${T},100,1,0`, 'ts_exch is empty, and the rows are put in order by it'],
    [`${T},${T},,1,0`, 'price is not a number above 0'],
    [`${T},${T},-1,1,0`, 'price is not a number above 0'],
    [`${T},${T},Infinity,1,0`, 'price is not a number above 0'],
    [`${T},${T},100,0,0`, 'qty is not a number above 0'],
    [`${T},${T},100,1,yes`, 'buyer_is_maker is neither 0 nor 1'],
    [`${T - 1},${T},100,1,0`, 'time goes back'],
    [`${T + 86_500_000},${T},100,1,0`, 'more than a day after the row before it'],
  ])('%s', async (row, fault) => {
    const file = writeCsv(folder, 'bad.csv', HEADERS.trades, [...good, '', row, 'and,this,is,another,one'])
    await expect(readAll(file)).rejects.toThrow(`${file}, line 5: ${fault}`)
  })

  test.each([
    [HEADERS.bbo, `${T},${T},100,1,x,1`, 'bid or ask is not a number above 0'],
    [HEADERS.bbo, `${T},${T},100,1,101,-1`, 'bid_qty or ask_qty is not a number of at least 0'],
    [HEADERS.depth, `${T},${T},buy,100,1`, 'side is neither b nor a'],
    [HEADERS.depth, `${T},${T},b,0,1`, 'price is not a number above 0'],
    [HEADERS.depth, `${T},${T},b,100,`, 'qty is not a number of at least 0'],
  ])('%s: %s', async (header, row, fault) => {
    const file = writeCsv(folder, 'bad-book.csv', header, [row])
    await expect(readAll(file, BOOKS)).rejects.toThrow(`${file}, line 2: ${fault}`)
  })

  test('a header of something else, an empty file, one without rows', async () => {
    const candles = writeCsv(folder, 'bars.csv', 'ts,open,high,low,close,volume', [])
    await expect(readAll(candles)).rejects.toThrow(`${candles}, line 1: the header must be ${HEADERS.trades}`)
    await expect(readAll(candles, BOOKS)).rejects.toThrow(`must be ${HEADERS.bbo} or ${HEADERS.depth}`)
    const empty = join(folder, 'empty.csv')
    writeFileSync(empty, '')
    await expect(readAll(empty)).rejects.toThrow(`${empty}, line 1`)
    const bare = writeCsv(folder, 'bare.csv', HEADERS.trades, [])
    await expect(readAll(bare)).rejects.toThrow(`${bare}, line 2: there are no rows`)
  })

  test('a missing file, a truncated gzip file, a file that is not gzip', async () => {
    await expect(readAll(join(folder, 'missing.csv'))).rejects.toThrow('missing.csv')
    const { trades } = sampleTicks({ seconds: 600 })
    const whole = writeCsv(folder, 'whole.csv.gz', HEADERS.trades, tradeRows(trades))
    const cut = join(folder, 'cut.csv.gz')
    writeFileSync(cut, readFileSync(whole).subarray(0, 20_000))
    await expect(readAll(cut)).rejects.toThrow(/cut\.csv\.gz, line \d+: the gzip file ends in the middle/)
    const none = join(folder, 'none.csv.gz')
    writeFileSync(none, 'ts_exch')
    await expect(readAll(none)).rejects.toThrow('none.csv.gz, line 1: the header must be')
  })

  test('files of different days', async () => {
    const trades = writeCsv(folder, 'today.csv', HEADERS.trades, good)
    const book = writeCsv(folder, 'then.csv', HEADERS.bbo, [`${T - 90_000_000},${T},100,1,101,1`])
    const files = [await openTickFile(trades, ['trades']), await openTickFile(book, BOOKS)]
    const { batches } = await mergeTicks(files)
    await expect(batches.next()).rejects.toThrow('the files begin more than a day apart')
  })
})
