import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { HEADERS, quoteRows, sampleTicks, tradeRows, writeCsv } from '../../testing/backtest/sample-ticks.ts'
import { sampleModel } from '../../testing/signals/sample-model.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollbook-backtest-ticks-'))
const { quotes, trades } = sampleTicks({ seconds: 30 })
const tradesFile = writeCsv(folder, 'trades.csv.gz', HEADERS.trades, tradeRows(trades))
const bookFile = writeCsv(folder, 'bbo.csv', HEADERS.bbo, quoteRows(quotes))
const model = join(folder, 'model.json')
writeFileSync(model, JSON.stringify(sampleModel()))

const COMMAND = fileURLToPath(new URL('./backtest-ticks.ts', import.meta.url))
const RUN = `import(${JSON.stringify(COMMAND)}).then(({ run }) => run(process.argv.slice(1)))`

function tollbook(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', RUN, '--', ...args], {
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

test('writes lines and figures, the same bytes each time', () => {
  const files = ['first', 'second'].map((name) => {
    const [output, metrics] = [join(folder, `${name}.jsonl`), join(folder, `${name}.json`)]
    const { status, stderr } = tollbook(
      ...['--ticks', tradesFile, '--book', bookFile, '--symbol', 'ETHUSDT', '--every', '5'],
      ...['--output', output, '--metrics', metrics, '--model', model],
    )
    expect(stderr).toMatch(/^6 lines from \d+ events in .* events per second, in order of exchange time\n/)
    expect(stderr).toContain('p_up is null: the model needs 720 minutes')
    expect(status).toBe(0)
    return readFileSync(output, 'utf8') + readFileSync(metrics, 'utf8')
  })
  expect(files[0]).toBe(files[1])
  expect(files[0]).toContain('{"symbol":"ETHUSDT","as_of":')
  expect(files[0]).not.toContain('per_second')
})

test('a fault ends it with 1 and says where it is', () => {
  const bad = writeCsv(folder, 'bad.csv', HEADERS.trades, [...tradeRows(trades.slice(0, 3)), 'x,y,1,1,1'])
  const { status, stderr } = tollbook(
    ...['--ticks', bad, '--symbol', 'BTCUSDT', '--model', model, '--output', join(folder, 'bad.jsonl')],
  )
  expect([status, stderr]).toEqual([1, `tollbook: ${bad}, line 5: ts_exch is not a time in milliseconds\n`])
})

test('a file that cannot be written is one line, not a stack', () => {
  const output = join(folder, 'nowhere', 'lines.jsonl')
  const { status, stderr } = tollbook(
    ...['--ticks', tradesFile, '--symbol', 'BTCUSDT', '--model', model, '--output', output],
  )
  expect(status).toBe(1)
  expect(stderr).toMatch(/^tollbook: .*nowhere.*: no such file or folder\n$/)
})

test.each([
  [['--ticks', 'a.csv', '--symbol', 'BTCUSDT'], '--ticks, --symbol and --output are needed'],
  [['--ticks', 'a.csv', '--symbol', 'DOGEUSDT', '--output', 'b'], '--symbol must be one of BTCUSDT'],
  [
    ['--ticks', 'a.csv', '--symbol', 'BTCUSDT', '--output', 'b', '--every', '0.5'],
    '--every must be whole seconds',
  ],
  [['--ticks', 'a.csv', '--unknown'], "Unknown option '--unknown'"],
])('%j is not understood', (args, fault) => {
  const { status, stderr } = tollbook(...args)
  expect(status).toBe(2)
  expect(stderr).toContain(fault)
  expect(stderr).toContain('usage: tollbook backtest --ticks')
})

test('help is help, with or without a file', () => {
  const { status, stdout } = tollbook('--ticks', '--help')
  expect(status).toBe(0)
  expect(stdout).toContain("the book also counts as the dollar venue's")
})
