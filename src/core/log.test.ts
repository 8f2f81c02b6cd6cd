import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLog } from './log.ts'
import { secret } from './secret.ts'

async function logged(write: (log: ReturnType<typeof createLog>) => void): Promise<string> {
  const file = join(mkdtempSync(join(tmpdir(), 'log-')), 'log')
  const log = createLog({ level: 'info', fd: openSync(file, 'w') })
  write(log)
  await log.flush()
  return readFileSync(file, 'utf8')
}

test('one JSON line per call, below the level nothing', async () => {
  const text = await logged((log) => {
    log.debug({ a: 1 }, 'unseen')
    log.info({ product: 'x', ms: 2 }, 'served')
  })
  const lines = text.trim().split('\n')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', product: 'x', ms: 2, msg: 'served' })
})

test('payments, tokens and keys never reach the log', async () => {
  const canary = 'canary-canary-canary'
  const text = await logged((log) => {
    log.info(
      { headers: { authorization: canary, 'payment-signature': canary, 'x-payment': canary } },
      'request',
    )
    log.info({ private_key: canary, wallet: { secret_key: canary }, key: secret(canary) }, 'wallet')
  })
  expect(text).not.toContain(canary)
  expect(text.match(/\[secret\]/g)).toHaveLength(5)
})

/** A process of its own that logs `lines` lines, says how it went on, and ends. */
async function logTo(stderr: 'pipe' | number, lines: number) {
  const module = new URL('./log.ts', import.meta.url).href
  const code = `const { createLog } = await import(${JSON.stringify(module)})
    const log = createLog({ level: 'info' })
    for (let at = 0; at < ${lines}; at++) {
      log.info({ pad: 'x'.repeat(1_000) }, 'line')
      if (at % 1_000 === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    process.stdout.write('went on')
    await log.flush()
    process.exit(7)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', stderr],
  })
  let said = ''
  child.stdout?.on('data', (data) => {
    said += data
  })
  const [exitCode] = await once(child, 'exit', { signal: AbortSignal.timeout(30_000) })
  return { said, exitCode }
}

test('a reader of the log that stands still, or a full disk, neither ends the process nor keeps it from ending', async () => {
  // Nobody reads the pipe; more is logged than may wait.
  expect(await logTo('pipe', 20_000)).toEqual({ said: 'went on', exitCode: 7 })
  if (process.platform === 'linux')
    expect(await logTo(openSync('/dev/full', 'w'), 2_000)).toEqual({ said: 'went on', exitCode: 7 })
})

test('a reader of the log that is gone does not keep the process from ending', async () => {
  const module = new URL('./log.ts', import.meta.url).href
  const code = `const { createLog } = await import(${JSON.stringify(module)})
    const log = createLog({ level: 'info' })
    process.stdin.on('end', async () => { log.info({}, 'unread'); await log.flush(); process.exit(7) }).resume()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code])
  child.stderr.destroy()
  await once(child.stderr, 'close')
  child.stdin.end()
  expect(await once(child, 'exit', { signal: AbortSignal.timeout(30_000) })).toEqual([7, null])
})
