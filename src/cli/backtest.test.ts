import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { randomCandles } from '../testing/signals/random-candles.ts'

const main = new URL('./main.ts', import.meta.url).pathname
const dir = mkdtempSync(join(tmpdir(), 'backtest-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const bars = (seed: string, count = 1_500) => {
  const file = join(dir, `${seed}.csv`)
  const rows = randomCandles({ seed, count }).map(({ openMs, open, high, low, close, volume }) =>
    [openMs, open, high, low, close, volume, '', ''].join(','),
  )
  writeFileSync(file, `ts,open,high,low,close,volume,taker_buy_volume,trades\n${rows.join('\n')}\n`)
  return file
}
const tollbook = (...args: string[]) =>
  promisify(execFile)(process.execPath, [main, 'backtest', ...args]).then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }) => ({ code, stderr }),
  )

test('the order in which other coins are given changes no byte, and metrics tell every moment', async () => {
  const given = ['--input', bars('btc'), '--symbol', 'BTCUSDT']
  const context = [`--context=ETHUSDT=${bars('eth')}`, `--context=SOLUSDT=${bars('sol')}`]
  const [one, two, metrics] = ['one.jsonl', 'two.jsonl', 'metrics.json'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ]
  await tollbook(...given, ...context, '--output', one, '--metrics', metrics)
  await tollbook(...given, ...context.toReversed(), '--output', two)
  const text = readFileSync(one, 'utf8')
  expect(text).toBe(readFileSync(two, 'utf8'))
  const lines = text.trim().split('\n')
  expect(lines).toHaveLength(1_500 - 720 + 1)
  expect(Object.keys(JSON.parse(lines[0] ?? ''))).toEqual([
    'symbol',
    'window_start',
    'as_of',
    'p_up',
    'direction',
    'confidence',
    'regime',
    'abstain',
  ])
  const { offsets } = JSON.parse(readFileSync(metrics, 'utf8'))
  expect(Object.keys(offsets)).toEqual(['0', '60', '120', '180', '240'])
})

test.each([
  ['nothing', [], 2, /--input, --symbol and --output are needed/],
  [
    'an unknown coin',
    ['--input', 'x', '--output', 'y', '--symbol', 'DOGEUSDT'],
    2,
    /--symbol must be one of/,
  ],
  [
    'itself as context',
    ['--input', 'x', '--output', 'y', '--symbol', 'BTCUSDT', '--context', 'BTCUSDT=x'],
    2,
    /--context takes/,
  ],
  ['an unknown option', ['--bars', 'x'], 2, /--bars/],
  [
    'a file that is not there',
    ['--input', '/nowhere.csv', '--output', '/dev/null', '--symbol', 'BTCUSDT'],
    1,
    /nowhere/,
  ],
])('refuses %s', async (_, args, code, reason) => {
  const ended = await tollbook(...args)
  expect(ended.code).toBe(code)
  expect(ended.stderr).toMatch(reason)
})

test('says so when the output cannot be written', async () => {
  const ended = await tollbook(
    '--input',
    bars('full'),
    '--symbol',
    'BTCUSDT',
    '--output',
    join(dir, 'no', 'where'),
  )
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/^tollbook: ENOENT/) })
})
