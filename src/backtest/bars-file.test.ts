import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { FIRST_MS, randomBars } from '../testing/signals/random-bars.ts'
import { readBars } from './bars-file.ts'

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

const bars = randomBars({ seed: 'file', count: 5_000 })
const csv = `${HEADER}\n${bars
  .map(({ openMs, open, high, low, close, volume }) =>
    [openMs, open, high, low, close, volume, '', ''].join(','),
  )
  .join('\n')}\n`

describe('reads', () => {
  test.each([
    ['plain', () => write(csv)],
    ['gzipped', () => write(gzipSync(csv), 'csv.gz')],
    ['with Windows line ends and no last one', () => write(csv.replaceAll('\n', '\r\n').trimEnd())],
    [
      'gzipped in several members',
      () => write(Buffer.concat([gzipSync(csv.slice(0, 999)), gzipSync(csv.slice(999))]), 'gz'),
    ],
  ])('%s files', async (_, make) => {
    expect(await readBars(make())).toEqual(bars)
  })

  test('columns in any order and case, with others between, and blank lines', async () => {
    const file = write(`Close,extra,TS,Low,High,Open,Volume\n1.5,x,${FIRST_MS},0.5,2,1,10\n\n`)
    expect(await readBars(file)).toEqual([
      { openMs: FIRST_MS, open: 1, high: 2, low: 0.5, close: 1.5, volume: 10 },
    ])
  })

  test('a file that starts with a byte order mark', async () => {
    expect(await readBars(write(`\uFEFF${HEADER}\n${rowAt(0)}\n`))).toHaveLength(1)
  })

  test('a range that was rounded tighter than the prices in it is made to hold them', async () => {
    const [bar] = await readBars(fileOf(rowAt(0, '1,1.4,1.1,1.5,10,,')))
    expect(bar).toMatchObject({ open: 1, high: 1.5, low: 1, close: 1.5 })
  })

  test('gaps', async () => {
    expect((await readBars(fileOf(rowAt(0), rowAt(7)))).map(({ openMs }) => openMs - FIRST_MS)).toEqual([
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
    await expect(readBars(file)).rejects.toThrow(reason)
    await expect(readBars(file)).rejects.toThrow(`${file}, line 4: `)
  })

  test.each([
    ['seconds for milliseconds', String(FIRST_MS / 1000 + 1)],
    ['a time inside a minute', String(FIRST_MS + 1)],
    ['a fraction', `${FIRST_MS}.5`],
    ['a date', '2025-01-06T00:00:00Z'],
    ['a negative time', '-60000'],
  ])('%s', async (_, ts) => {
    await expect(readBars(fileOf(`${ts},1,2,0.5,1.5,10,,`))).rejects.toThrow(
      /line 2: ts is not the open time/,
    )
  })

  test.each([
    ['the same minute twice', [0, 1, 1]],
    ['an earlier minute', [0, 2, 1]],
  ])('%s', async (_, minutes) => {
    const file = fileOf(...minutes.map((minute) => rowAt(minute)))
    await expect(readBars(file)).rejects.toThrow(/line 4: ts does not rise/)
  })

  test('a header that lacks columns, naming them', async () => {
    await expect(readBars(write(`ts,open,high,close\n${rowAt(0)}\n`))).rejects.toThrow(/lacks low, volume/)
    await expect(readBars(write(`${rowAt(0)}\n${rowAt(1)}\n`))).rejects.toThrow(/header lacks ts, open/)
  })

  test.each([
    ['an empty file', ''],
    ['a header alone', `${HEADER}\n`],
  ])('%s', async (_, content) => {
    await expect(readBars(write(content))).rejects.toThrow(/no bars/)
    await expect(readBars(write(gzipSync(content), 'csv.gz'))).rejects.toThrow(/no bars/)
  })

  test('a file that is not there, or is a folder', async () => {
    await expect(readBars(join(dir, 'none.csv'))).rejects.toThrow(/ENOENT.*none\.csv/)
    await expect(readBars(join(dir, 'none.csv.gz'))).rejects.toThrow(/ENOENT.*none\.csv\.gz/)
    await expect(readBars(dir)).rejects.toThrow(/EISDIR/)
  })

  test('a gzip file that was cut, or is none: half a history must not pass for a whole one', async () => {
    const whole = gzipSync(csv)
    for (const share of [0.1, 0.5, 0.99])
      await expect(readBars(write(whole.subarray(0, whole.length * share), 'csv.gz'))).rejects.toThrow()
    await expect(readBars(write(csv, 'csv.gz'))).rejects.toThrow(/header/)
    const flipped = Buffer.from(whole)
    flipped[flipped.length >> 1] = (flipped[flipped.length >> 1] ?? 0) ^ 0xff
    await expect(readBars(write(flipped, 'csv.gz'))).rejects.toThrow()
  })
})
