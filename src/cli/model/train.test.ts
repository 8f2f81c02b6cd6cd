import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../core/time/time.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { FIRST_MS, randomCandles } from '../../testing/signals/random-candles.ts'
import { requireEnoughHistory } from '../../training/enough-history.ts'
import { buildDataset } from '../../training/history/dataset.ts'

const main = new URL('../main.ts', import.meta.url).pathname
const DAY_MIN = 1_440
const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)

test('too little history says what there is and what is needed, and writes no model', () => {
  const folder = temporaryDir()
  const rows = randomCandles({ seed: 'little', count: 3_000 }).map(
    ({ openMs, open, high, low, close, volume }) => [openMs, open, high, low, close, volume].join(),
  )
  writeFileSync(join(folder, 'BTCUSDT_1m_2025.csv'), `ts,open,high,low,close,volume\n${rows.join('\n')}\n`)
  const [output, from] = [join(folder, 'model.json'), day(FIRST_MS + DAY_MS)]
  const args = ['train', '--history', folder, '--output', output, '--from', from]
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' })
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(`the history has 3000 minutes from ${day(FIRST_MS)}`)
  expect(stderr).toMatch(/0 usable windows of it before --from .* 2016 are needed .*: add earlier candles/)
  expect(existsSync(output)).toBe(false)
  const input = join(folder, 'BTCUSDT_1m_2025.csv')
  const onto = spawnSync(process.execPath, [main, ...args.with(4, input), '--force'], { encoding: 'utf8' })
  expect([onto.status, onto.stderr]).toEqual([1, expect.stringContaining('are one file')])
})

test('a week of windows, a day to warm up and a day between are enough, and a day less is not', () => {
  const candles = randomCandles({ seed: 'enough', count: 11 * DAY_MIN })
  const dataset = buildDataset([{ coin: 'BTC', file: '', candles }], () => {})
  const from = (days: number) => () => requireEnoughHistory(dataset, FIRST_MS + days * DAY_MS)
  expect(from(9.1)).not.toThrow()
  expect(from(8)).toThrow(/17\d\d usable windows/)
  expect(from(12)).toThrow(/nothing of it from --from/)
})
