import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Clone, Ended, Environment } from '../clone.ts'
import { freePort } from '../ports.ts'
import type { Hour, Step } from '../step.ts'

const FAILED = 1
const USAGE = 2
const COMMANDS = [
  'serve',
  'buy',
  'backtest',
  'train',
  'backup',
  'restore',
  'adopt',
  'rotate-key',
  'verify-record',
]

export const messageSteps: Step[] = [
  {
    item: 7,
    says: 'every command prints its usage for an unknown option',
    async walk({ clone }) {
      for (const command of COMMANDS)
        isPlain(await clone.tollbook([command, '--foo']), USAGE, [
          /--foo/,
          new RegExp(`usage: tollbook ${command}`),
        ])
      return `${COMMANDS.length} commands, exit code ${USAGE}`
    },
  },
  {
    item: 7,
    says: '--version',
    async walk({ clone }) {
      const { code, out } = await clone.tollbook(['--version'])
      assert.equal(code, 0)
      assert.match(out, /^tollbook \d+\.\d+\.\d+\n$/)
      return out.trim()
    },
  },
  {
    item: 7,
    says: '| head ends a command quietly',
    async walk({ clone, sandbox }) {
      const lines = [
        `./tollbook buy /signals --url ${sandbox.url}`,
        `./tollbook verify-record ${sandbox.url}`,
        './tollbook --help',
      ]
      for (const line of lines) {
        const { err } = await clone.run('sh', ['-c', `${line} | head -1`])
        assert.doesNotMatch(err, /EPIPE|\n\s+at /, line)
      }
      return `${lines.length} commands`
    },
  },
  complaint('a ledger that is no database', ({ clone }) => {
    const dir = clone.folder('damaged')
    writeFileSync(
      join(dir, 'ledger.sqlite'),
      'not a database at all, only some text that is long enough to be read\n'.repeat(99),
    )
    return {
      args: ['serve'],
      env: { TOLLBOOK_DATA_DIR: dir, PORT: '0' },
      patterns: [join(dir, 'ledger.sqlite'), /restore/],
    }
  }),
  complaint('a ledger of length zero', ({ clone }) => {
    const dir = clone.folder('empty')
    writeFileSync(join(dir, 'ledger.sqlite'), '')
    return {
      args: ['serve'],
      env: { TOLLBOOK_DATA_DIR: dir, PORT: '0' },
      patterns: [join(dir, 'ledger.sqlite'), /empty|zero/, /restore/],
    }
  }),
  complaint('a data directory that is a file', ({ clone }) => {
    const path = join(clone.folder('file'), 'data')
    writeFileSync(path, '')
    return {
      args: ['serve'],
      env: { TOLLBOOK_DATA_DIR: path, PORT: '0' },
      patterns: [path, /TOLLBOOK_DATA_DIR/],
    }
  }),
  complaint('a data directory that may not be written', ({ clone }) => {
    const path = join(clone.folder('read-only'), 'data')
    mkdirSync(path, { mode: 0o500 })
    // Nothing is forbidden to root, but where nothing can be made.
    const inside = process.getuid?.() === 0 ? '/proc/1/data' : path
    return {
      args: ['serve'],
      env: { TOLLBOOK_DATA_DIR: inside, PORT: '0' },
      patterns: [inside, /TOLLBOOK_DATA_DIR|permission|writ/],
    }
  }),
  complaint('a lock that may not be written, and would hold nobody back', ({ clone }) => {
    const dir = clone.folder('lock')
    const lock = join(dir, 'service.lock')
    writeFileSync(lock, '', { mode: 0o400 })
    // Everything may be written by root.
    const isRoot = process.getuid?.() === 0
    const env = { TOLLBOOK_DATA_DIR: isRoot ? lock : dir, PORT: '0' }
    return { args: ['serve'], env, patterns: [lock] }
  }),
  complaint('a taken port', ({ sandbox, clone }) => {
    const { port } = new URL(sandbox.url)
    return {
      args: ['serve'],
      env: { TOLLBOOK_DATA_DIR: clone.folder('port'), PORT: port },
      patterns: [port, /PORT/],
    }
  }),
  complaint('buying where nobody sells', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    return { args: ['buy', '/signals', '--url', url], patterns: [url, /npm start/] }
  }),
  complaint('a record that cannot be fetched', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    return { args: ['verify-record', url], code: USAGE, patterns: [url, /ECONNREFUSED/] }
  }),
  complaint('a backtest of a file that is not packed as it says', ({ clone }) => {
    const input = join(clone.folder('gz'), 'bars.csv.gz')
    writeFileSync(input, gzipSync(bars(2_000)).subarray(0, 5_000))
    return { args: backtestArgs(input, `${input}.out`), patterns: [input, /cut off|gzip/] }
  }),
  complaint('a backtest of 100 minutes', ({ clone }) => {
    const input = barFile(clone, 100)
    return { args: backtestArgs(input, `${input}.out`), patterns: [input, /\b100\b/, /\b720\b/] }
  }),
  complaint(
    'a backtest onto its own input',
    ({ clone }) => {
      const input = barFile(clone, 1_500)
      const link = `${input}.link`
      symlinkSync(input, link)
      return {
        args: [...backtestArgs(input, link), '--force'],
        patterns: [/input/],
        code: 'any',
        unchanged: input,
      }
    },
    8,
  ),
  {
    item: 8,
    says: 'a backtest overwrites only with --force',
    async walk({ clone }) {
      const input = barFile(clone, 1_500)
      const output = `${input}.out`
      assert.equal((await clone.tollbook(backtestArgs(input, output))).code, 0)
      const before = readFileSync(output)
      const again = await clone.tollbook(backtestArgs(input, output))
      assert.notEqual(again.code, 0)
      assert.match(again.err, /--force/)
      assert.deepEqual(readFileSync(output), before)
      assert.equal((await clone.tollbook([...backtestArgs(input, output), '--force'])).code, 0)
      return 'refused, then done with --force'
    },
  },
  {
    item: 8,
    says: 'training on too little says so and writes nothing',
    async walk({ clone }) {
      const history = clone.folder('history')
      writeFileSync(join(history, 'BTCUSDT_1m_2024.csv.gz'), gzipSync(bars(3_000)))
      const output = join(history, 'model.json')
      const ended = await clone.tollbook([
        'train',
        '--history',
        history,
        '--output',
        output,
        '--from',
        '2024-01-02',
      ])
      isPlain(ended, FAILED, [/history/])
      assert.ok(!existsSync(output))
      return lastLine(ended.err)
    },
  },
]

type Complaint = {
  args: string[]
  env?: Environment
  patterns: (string | RegExp)[]
  code?: number | 'any'
  unchanged?: string
}

/** A command that must fail with one plain message. */
function complaint(says: string, prepare: (hour: Hour) => Complaint | Promise<Complaint>, item = 7): Step {
  return {
    item,
    says,
    async walk(hour) {
      const { args, env, patterns, code = FAILED, unchanged } = await prepare(hour)
      const before = unchanged ? readFileSync(unchanged) : undefined
      const ended = await hour.clone.tollbook(args, { env, killAfterMs: 60_000 })
      isPlain(ended, code, patterns)
      if (unchanged) assert.deepEqual(readFileSync(unchanged), before)
      return lastLine(ended.err)
    },
  }
}

function isPlain(
  { code, err }: Ended,
  expected: number | 'any',
  patterns: readonly (string | RegExp)[],
): void {
  if (expected === 'any') assert.notEqual(code, 0, err)
  else assert.equal(code, expected, err)
  assert.doesNotMatch(err, /^\s+at /m, 'a stack')
  for (const pattern of patterns) assert.ok(err.match(pattern), `${pattern} is not in: ${err}`)
}

const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? ''

const backtestArgs = (input: string, output: string) => [
  'backtest',
  '--input',
  input,
  '--symbol',
  'BTCUSDT',
  '--output',
  output,
]

function barFile(clone: Clone, count: number): string {
  const path = join(clone.folder('bars'), 'bars.csv')
  writeFileSync(path, bars(count))
  return path
}

const FIRST_MS = Date.UTC(2024, 0, 1)
const MINUTE_MS = 60_000

function bars(count: number): string {
  const lines = Array.from({ length: count }, (_, at) => {
    const price = 60_000 + 500 * Math.sin(at / 37) + 90 * Math.sin(at / 3)
    return [FIRST_MS + at * MINUTE_MS, price, price + 20, price - 20, price + 5, 3].join()
  })
  return `ts,open,high,low,close,volume\n${lines.join('\n')}\n`
}
