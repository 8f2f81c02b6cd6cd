import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { choosePort, listen } from '../http/listen.ts'
import { startCommands } from '../testing/cli/start-commands.ts'
import { temporaryDir } from '../testing/ledger/temporary-dir.ts'
import { searchSize } from '../testing/search-size.ts'

const main = new URL('./main.ts', import.meta.url).pathname
const HOST = '127.0.0.1'

function tollbook(args: string[], { cwd = temporaryDir(), env = {} as Record<string, string> } = {}) {
  const own = { PATH: process.env.PATH, ...env }
  return promisify(execFile)(process.execPath, [main, ...args], { cwd, env: own }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

const commands = startCommands()
afterAll(() => commands.close())
/** Those that end their process in one of their own; the others one after the other in one. */
async function told(name: string, option: string) {
  if (name === 'serve' || name === 'sandbox') return tollbook([name, option])
  const call = { args: [name, option], env: { PATH: process.env.PATH }, cwd: temporaryDir() }
  const { status, ...said } = await commands.run(call)
  return { code: status, ...said }
}
const COMMANDS = [
  'serve',
  'sandbox',
  'buy',
  'backtest',
  'train',
  'backup',
  'restore',
  'verify-record',
  'rotate-key',
  'keys',
  'doctor',
  'config',
  'watercooler',
]

test.each(['--version', '-v', 'version'])('%s names the release', async (word) => {
  expect(await tollbook([word])).toEqual({ code: 0, stdout: 'tollbook 2.0.0\n', stderr: '' })
})

test.each(COMMANDS)(
  '%s answers an unknown option with its usage and 2, --help with its usage and 0',
  async (name) => {
    const wrong = await told(name, '--unheard-of')
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
    expect(wrong.stderr).toMatch(
      new RegExp(`^tollbook: Unknown option '--unheard-of'.*\n\nusage: tollbook ${name}`),
    )
    expect(wrong.stderr).not.toContain('    at ')
    const help = await told(name, '--help')
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toMatch(`usage: tollbook ${name}`)
  },
)

const STEP = searchSize('command-step')
const READ_BY_NOBODY = COMMANDS.filter((_, at) => at % STEP === 0).map((name) => `${name} --help`)
test.each([...READ_BY_NOBODY, '--version', 'no-such-command'])(
  'a reader that is gone does not disturb: %s',
  (words) => {
    const shell = `'${process.execPath}' '${main}' ${words} 2>&1 | true; echo "\${PIPESTATUS[0]}"`
    const { stdout, stderr } = spawnSync('bash', ['-c', shell], { encoding: 'utf8', cwd: temporaryDir() })
    expect([stdout.trim(), stderr]).toEqual([words === 'no-such-command' ? '2' : '0', ''])
  },
)

test('buy looks where PORT, HOST and .env say, and says what to do when nobody is there', async () => {
  const cwd = temporaryDir()
  writeFileSync(join(cwd, '.env'), 'PORT=2\n', { mode: 0o600 })
  const nobody = (port: number) =>
    `tollbook: nothing answers at http://${HOST}:${port} (ECONNREFUSED): start it with npm start, set PORT as it was for that start, or pass --url\n`
  expect(await tollbook(['buy', '/price/BTC'], { cwd })).toMatchObject({ code: 1, stderr: nobody(2) })
  const free = await choosePort(HOST, 0)
  expect(await tollbook(['buy', '/price/BTC'], { cwd, env: { PORT: String(free) } })).toMatchObject({
    code: 1,
    stderr: nobody(free),
  })
})

test('a port that is taken and a bad setting are each one line with what to do', async () => {
  const taken = createServer()
  const port = await listen(taken, HOST, 0)
  const env = { PORT: String(port), TOLLBOOK_DATA_DIR: temporaryDir(), TOLLBOOK_LOG_LEVEL: 'error' }
  const refused = await tollbook(['serve'], { env })
  taken.close()
  expect(refused).toEqual({
    code: 1,
    stdout: '',
    stderr: `tollbook: ${HOST}:${port} is taken: stop the other process or set PORT\n`,
  })
  const cwd = temporaryDir()
  writeFileSync(join(cwd, '.env'), 'PORT=x\nsecret words\n', { mode: 0o600 })
  expect(await tollbook(['serve'], { cwd })).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'tollbook: the configuration has 2 mistakes\n  .env, line 2: must be NAME=value or start with #\n' +
      '  PORT: must be a whole number from 0 to 65535\n',
  })
})
