import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { FIRST_MS } from '../../testing/signals/random-candles.ts'
import { readHistory } from './history-files.ts'

const dirs: string[] = []
afterAll(() => {
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true })
})
function folderOf(files: Record<string, string | Buffer>): string {
  const dir = mkdtempSync(join(tmpdir(), 'tollbook-history-'))
  dirs.push(dir)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dir, name), content)
  return dir
}
const csv = (price: number) =>
  `ts,open,high,low,close,volume\n${FIRST_MS},${price},${price},${price},${price},1\n`
const read = (dir: string) => readHistory(dir, () => {})

test('every candle file in order of the names, gzipped or not; other files are ignored', async () => {
  const dir = folderOf({
    'XRPUSDT_1m_spot_b.csv.gz': gzipSync(csv(2)),
    'BTCUSDT_1m_spot_a.csv': csv(1),
    'README.md': 'not minutes',
    'BTCUSDT_5m_a.csv': 'not these either',
  })
  const { stretches } = await read(dir)
  expect(stretches.map(({ coin, file, candles }) => [coin, file, candles[0]?.close])).toEqual([
    ['BTC', 'BTCUSDT_1m_spot_a.csv', 1],
    ['XRP', 'XRPUSDT_1m_spot_b.csv.gz', 2],
  ])
})

test('the digest changes with bytes and names, and only with them', async () => {
  const digests = await Promise.all(
    [
      { 'BTCUSDT_1m_a.csv': csv(1) },
      { 'BTCUSDT_1m_a.csv': csv(1) },
      { 'BTCUSDT_1m_a.csv': csv(2) },
      { 'BTCUSDT_1m_b.csv': csv(1) },
    ].map(async (files) => (await read(folderOf(files))).sha256),
  )
  expect(digests[0]).toMatch(/^[0-9a-f]{64}$/)
  expect(digests[1]).toBe(digests[0])
  expect(new Set(digests).size).toBe(3)
})

test('a folder without minutes, a coin that is none of ours, a broken file', async () => {
  await expect(read(folderOf({}))).rejects.toThrow(/holds no files such as/)
  await expect(read(folderOf({ 'DOGEUSDT_1m_a.csv': csv(1) }))).rejects.toThrow(
    /not one of BTC, ETH, SOL, XRP/,
  )
  await expect(read(folderOf({ 'BTCUSDT_1m_a.csv': 'ts\n1\n' }))).rejects.toThrow(/BTCUSDT_1m_a\.csv.*lacks/)
})
