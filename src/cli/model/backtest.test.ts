import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { randomCandles } from '../../testing/signals/random-candles.ts'

const main = new URL('../main.ts', import.meta.url).pathname
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
  const output = join(dir, 'no', 'where')
  const ended = await tollbook('--input', bars('full'), '--symbol', 'BTCUSDT', '--output', output)
  expect(ended.code).toBe(1)
  expect(ended.stderr).toMatch(/^tollbook: .*no.where.*: no such file or folder\n$/)
})

test('an input too short for a prediction is named, with what is needed, and no output appears', async () => {
  const [input, output] = [bars('short', 100), join(dir, 'short.jsonl')]
  expect(await tollbook('--input', input, '--symbol', 'BTCUSDT', '--output', output)).toEqual({
    code: 1,
    stderr: `tollbook: ${input}: 100 candles, and a prediction needs the 720 minutes before it: give a longer file\n`,
  })
  expect(leftIn('short.jsonl')).toEqual([])
})

test('an existing output is kept unless it is empty or --force is given', async () => {
  const output = join(dir, 'kept.jsonl')
  const run = (...more: string[]) =>
    tollbook('--input', bars('kept', 730), '--symbol', 'BTCUSDT', '--output', output, ...more)
  writeFileSync(output, '')
  expect((await run()).code).toBe(0)
  const first = readFileSync(output, 'utf8')
  expect(await run()).toEqual({
    code: 1,
    stderr: `tollbook: ${output} exists: pass --force to overwrite it, or name another file in --output\n`,
  })
  writeFileSync(output, 'something else')
  expect((await run('--force')).code).toBe(0)
  expect(readFileSync(output, 'utf8')).toBe(first)
})

test('an output that is an input is refused under any name, even with --force', async () => {
  const input = bars('same', 730)
  const before = readFileSync(input, 'utf8')
  const [soft, hard] = [join(dir, 'soft.csv'), join(dir, 'hard.csv')]
  symlinkSync(input, soft)
  linkSync(input, hard)
  const given = ['--input', input, '--symbol', 'BTCUSDT', '--force']
  for (const path of [input, join(dir, '..', basename(dir), 'same.csv'), soft, hard]) {
    expect((await tollbook(...given, '--output', path)).stderr).toContain('--output and --input are one file')
    const metrics = ['--output', join(dir, 'other.jsonl'), '--metrics', path]
    expect((await tollbook(...given, ...metrics)).stderr).toContain('--metrics and --input are one file')
  }
  const both = await tollbook(...given, '--output', join(dir, 'x'), '--metrics', join(dir, '.', 'x'))
  expect(both.stderr).toContain('--metrics and --output are one file')
  expect(readFileSync(input, 'utf8')).toBe(before)
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s leaves nothing half-written behind', async (signal) => {
  const output = join(dir, `stopped-${signal}.jsonl`)
  const given = ['--input', bars('long', 60_000), '--symbol', 'BTCUSDT', '--output', output]
  const child = spawn(process.execPath, [main, 'backtest', ...given], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  await expect.poll(() => leftIn(basename(output)), { timeout: 60_000, interval: 5 }).toHaveLength(1)
  child.kill(signal)
  expect((await exited)[0]).toBe(signal === 'SIGINT' ? 130 : 143)
  expect(leftIn(basename(output))).toEqual([])
})

test('the output may be a pipe, and its reader may leave early', () => {
  const command = `'${process.execPath}' '${main}' backtest --input '${bars('piped')}' --symbol BTCUSDT --output /dev/stdout`
  const shell = `${command} | head -1; echo "\${PIPESTATUS[0]}"`
  const { stdout, stderr } = spawnSync('bash', ['-c', shell], { encoding: 'utf8' })
  expect(stdout).toMatch(/^\{"symbol":"BTCUSDT",.*\}\n0\n$/)
  expect(stderr).toMatch(/^(\d+ predictions from 1500 candles in \/dev\/stdout\n)?$/)
})

/** Files that begin with this name: the output or a draft of it. */
const leftIn = (name: string) => readdirSync(dir).filter((each) => each.startsWith(name))
