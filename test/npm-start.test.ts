import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { choosePort, listen } from '../src/http/listen.ts'
import { holdServiceLock } from '../src/ledger/files/service-lock.ts'
import { temporaryDir } from '../src/testing/ledger/temporary-dir.ts'

const HOST = '127.0.0.1'
const own = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** The project in a folder of its own, so that nobody's `.env` is read but the one that is given. */
function folderWith(env: Record<string, string | number>): string {
  const folder = temporaryDir()
  copyFileSync(own('package.json'), join(folder, 'package.json'))
  for (const path of ['src', 'node_modules']) symlinkSync(own(path), join(folder, path))
  const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(folder, '.env'), lines.join(''), { mode: 0o600 })
  return folder
}

type Started = { npm: ChildProcess; ready: string; log(): string }

async function npmStart(folder: string): Promise<Started> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(TOLLBOOK_|npm_|PORT$|HOST$)/.test(name),
  )
  const npm = spawn('npm', ['start', '--silent'], {
    cwd: folder,
    env: Object.fromEntries(inherited),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  onTestFinished(() => endGroup(npm))
  let log = ''
  npm.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  for await (const line of createInterface(npm.stdout))
    if (line.startsWith('tollbook ready ')) return { npm, ready: line, log: () => log }
  throw new Error(`npm start ended: ${log}`)
}

/** What a failed test left behind. */
function endGroup({ pid = 0 }: ChildProcess): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All of it has ended.
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const isOurs = await listen(server, HOST, port).then(
    () => true,
    () => false,
  )
  server.close()
  return isOurs
}

test.each([
  ['npm alone gets SIGTERM', 'SIGTERM', 1, { code: 0, cause: 'SIGTERM' }],
  ['npm alone gets SIGINT', 'SIGINT', 1, { code: 0, cause: 'SIGINT' }],
  // Both get it: the service may notice that npm is gone before it hears the signal itself.
  ['the terminal is closed', 'SIGHUP', -1, { code: null, cause: '(SIGHUP|npm is gone)' }],
  ['npm is killed', 'SIGKILL', 1, { code: null, cause: 'npm is gone' }],
] as const)('port and lock are free after: %s', async (_, signal, whom, expected) => {
  const port = await choosePort(HOST, 0)
  const dataDir = join(temporaryDir(), 'data')
  const { npm, ready, log } = await npmStart(folderWith({ PORT: port, TOLLBOOK_DATA_DIR: dataDir }))
  expect(ready).toBe(`tollbook ready http://${HOST}:${port} mode=sandbox`)
  const exited = once(npm, 'exit')
  const closed = once(npm, 'close')
  process.kill(whom * (npm.pid ?? 0), signal)
  const [code] = await exited
  await closed
  expect(code).toBe(expected.code)
  expect(log()).toMatch(new RegExp(`"cause":"${expected.cause}","msg":"stopping"`))
  await expect.poll(() => isFree(port)).toBe(true)
  holdServiceLock(dataDir).release()
})
