import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { FIRST_MS, randomCandles } from '../testing/signals/random-candles.ts'
import { readCandles } from './candle-file.ts'

const dir = mkdtempSync(join(tmpdir(), 'tollbook-bars-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const HEADER = 'ts,open,high,low,close,volume,taker_buy_volume,trades'
let files = 0
function write(content: string | Buffer, extension = 'csv'): string {
  const file = join(dir, `${files++}.${extension}`)
  writeFileSync(file, content)
  return file
}
const rowAt = (minute: number, cells = '1,2,0.5,1.5,10,,') => `${FIRST_MS + minute * 60_000},${cells}`
const fileOf = (...rows: string[]) => write(`${[HEADER, ...rows].join('\n')}\n`)

const candles = randomCandles({ seed: 'file', count: 5_000 })
const csv = `${HEADER}\n${candles
  .map(({ openMs, open, high, low, close, volume }) =>
    [openMs, open, high, low, close, volume, '', ''].join(','),
  )
  .join('\n')}\n`

describe('reads', () => {
  test.each([
    ['plain', () => write(csv)],
    ['gzipped', () => write(gzipSync(csv), 'csv.gz')],
    ['gzipped under another name', () => write(gzipSync(csv))],
    ['plain, although called gzipped', () => write(csv, 'csv.gz')],
    ['with Windows line ends and no last one', () => write(csv.replaceAll('\n', '\r\n').trimEnd())],
    [
      'gzipped in several members',
      () => write(Buffer.concat([gzipSync(csv.slice(0, 999)), gzipSync(csv.slice(999))]), 'gz'),
    ],
  ])('%s files', async (_, make) => {
    expect(await readCandles(make())).toEqual(candles)
  })

  test('columns in any order and case, with others between, and blank lines', async () => {
    const file = write(`Close,extra,TS,Low,High,Open,Volume\n1.5,x,${FIRST_MS},0.5,2,1,10\n\n`)
    expect(await readCandles(file)).toEqual([
      { openMs: FIRST_MS, open: 1, high: 2, low: 0.5, close: 1.5, volume: 10 },
    ])
  })

  test('a file that starts with a byte order mark', async () => {
    expect(await readCandles(write(`\uFEFF${HEADER}\n${rowAt(0)}\n`))).toHaveLength(1)
  })

  test('a high and low that were rounded inside open and close are widened', async () => {
    const [candle] = await readCandles(fileOf(rowAt(0, '1,1.4,1.1,1.5,10,,')))
    expect(candle).toMatchObject({ open: 1, high: 1.5, low: 1, close: 1.5 })
  })

  test('gaps', async () => {
    expect((await readCandles(fileOf(rowAt(0), rowAt(7)))).map(({ openMs }) => openMs - FIRST_MS)).toEqual([
      0, 420_000,
    ])
  })
})

describe('refuses, and says where', () => {
  test.each([
    ['a word for a price', '1,2,0.5,abc,10,,', /not a price/],
    ['NaN', 'NaN,2,0.5,1.5,10,,', /not a price/],
    ['an empty price', ',2,0.5,1.5,10,,', /not a price/],
    ['a negative low', '1,2,-0.5,1.5,10,,', /not a price/],
    ['a price of 0', '0,0,0,0,10,,', /not a price/],
    ['an infinite high', '1,Infinity,0.5,1.5,10,,', /not a price/],
    ['a negative volume', '1,2,0.5,1.5,-1,,', /volume/],
    ['no volume', '1,2,0.5,1.5,,,', /volume/],
    ['too few cells', '1,2', /./],
  ])('%s', async (_, cells, reason) => {
    const file = fileOf(rowAt(0), rowAt(1), rowAt(2, cells), rowAt(3))
    await expect(readCandles(file)).rejects.toThrow(reason)
    await expect(readCandles(file)).rejects.toThrow(`${file}, line 4: `)
  })

  test.each([
    ['seconds for milliseconds', String(FIRST_MS / 1000 + 1)],
    ['a time inside a minute', String(FIRST_MS + 1)],
    ['a fraction', `${FIRST_MS}.5`],
    ['a date', '2025-01-06T00:00:00Z'],
    ['a negative time', '-60000'],
  ])('%s', async (_, ts) => {
    await expect(readCandles(fileOf(`${ts},1,2,0.5,1.5,10,,`))).rejects.toThrow(
      /line 2: ts is not the open time/,
    )
  })

  test.each([
    ['the same minute twice', [0, 1, 1]],
    ['an earlier minute', [0, 2, 1]],
  ])('%s', async (_, minutes) => {
    const file = fileOf(...minutes.map((minute) => rowAt(minute)))
    await expect(readCandles(file)).rejects.toThrow(/line 4: ts does not rise/)
  })

  test('a header that lacks columns, naming them', async () => {
    await expect(readCandles(write(`ts,open,high,close\n${rowAt(0)}\n`))).rejects.toThrow(/lacks low, volume/)
    await expect(readCandles(write(`${rowAt(0)}\n${rowAt(1)}\n`))).rejects.toThrow(/header lacks ts, open/)
  })

  test.each([
    ['an empty file', ''],
    ['a header alone', `${HEADER}\n`],
  ])('%s', async (_, content) => {
    await expect(readCandles(write(content))).rejects.toThrow(/no candles/)
    await expect(readCandles(write(gzipSync(content), 'csv.gz'))).rejects.toThrow(/no candles/)
  })

  test('a file that is not there, or is a folder', async () => {
    await expect(readCandles(join(dir, 'none.csv'))).rejects.toThrow(/ENOENT.*none\.csv/)
    await expect(readCandles(join(dir, 'none.csv.gz'))).rejects.toThrow(/ENOENT.*none\.csv\.gz/)
    await expect(readCandles(dir)).rejects.toThrow(`${dir} is a folder: name a file`)
  })

  test('a truncated or invalid gzip file: half a history must not pass for a whole one', async () => {
    const whole = gzipSync(csv)
    for (const share of [0.1, 0.5, 0.99]) {
      const file = write(whole.subarray(0, whole.length * share), 'csv.gz')
      const message = new RegExp(`^${file}, line \\d+: the gzip file ends in the middle: get it again$`)
      await expect(readCandles(file)).rejects.toThrow(message)
    }
    const flipped = Buffer.from(whole)
    flipped[flipped.length >> 1] = (flipped[flipped.length >> 1] ?? 0) ^ 0xff
    await expect(readCandles(write(flipped, 'csv.gz'))).rejects.toThrow()
    const wrongSum = Buffer.from(whole)
    wrongSum.writeUInt8(wrongSum.readUInt8(wrongSum.length - 8) ^ 0xff, wrongSum.length - 8)
    await expect(readCandles(write(wrongSum, 'csv.gz'))).rejects.toThrow(
      /gzip file is damaged .*: get it again/,
    )
  })
})
