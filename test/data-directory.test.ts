import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { openLedger } from '../src/app/ledger/open-ledger.ts'
import { readConfig } from '../src/config/config.ts'
import { silentLog } from '../src/core/log.ts'
import { systemClock } from '../src/core/time/clock.ts'
import { ledgerPath } from '../src/ledger/files/ledger-file.ts'
import { liveEnvironment } from '../src/testing/config/live-environment.ts'
import { temporaryDir } from '../src/testing/ledger/temporary-dir.ts'

const MAIN = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))

function start(dataDir: string, env: Record<string, string> = {}) {
  const given = { PATH: process.env.PATH, PORT: '0', TOLLBOOK_DATA_DIR: dataDir, ...env }
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'serve'], {
    env: given,
    encoding: 'utf8',
  })
  return { status, stdout, lines: stderr.trim().split('\n') }
}

/** A directory of the sandbox with its ledger bound, and no service key yet. */
async function directory() {
  const root = temporaryDir()
  const dataDir = join(root, 'a')
  const config = readConfig({ TOLLBOOK_DATA_DIR: dataDir })
  await (await openLedger({ config, clock: systemClock, log: silentLog })).close()
  return { root, dataDir }
}

const snapshot = (dir: string) =>
  readdirSync(dir).map((name) => [
    name,
    createHash('sha256')
      .update(readFileSync(join(dir, name)))
      .digest('hex'),
  ])

describe('a start that is refused says one line and leaves the directory as it was', () => {
  test.each([
    ['a copy', {}, /is a copy of the ledger at .*: if .*adopt/],
    ['paper mode', { TOLLBOOK_MODE: 'paper' }, /is a ledger of sandbox mode.*: set TOLLBOOK_MODE=sandbox/],
    ['live mode', liveEnvironment, /holds play money .*: name another directory/],
  ] as [string, Record<string, string>, RegExp][])('%s', async (_, env, message) => {
    const { root, dataDir } = await directory()
    const copy = join(root, 'b')
    cpSync(dataDir, copy, { recursive: true })
    const before = snapshot(copy)
    const { status, stdout, lines } = start(copy, env)
    expect([status, stdout, lines.length]).toEqual([1, '', 1])
    expect(lines[0]).toMatch(message)
    expect(snapshot(copy)).toEqual(before)
  })

  test('an empty ledger file', () => {
    const dataDir = temporaryDir()
    writeFileSync(ledgerPath(dataDir), '')
    expect(start(dataDir).lines).toEqual([expect.stringMatching(/is empty \(0 bytes\).*lost.*restore/)])
    expect(readdirSync(dataDir).sort()).toEqual(['ledger.sqlite', 'service.lock'])
  })

  test('a ledger with a damaged page', async () => {
    const { dataDir } = await directory()
    const bytes = readFileSync(ledgerPath(dataDir))
    bytes.fill(0xee, 4_096 + 100, bytes.length)
    writeFileSync(ledgerPath(dataDir), bytes)
    const { status, lines } = start(dataDir)
    expect([status, lines.length]).toEqual([1, 1])
    expect(lines[0]).toContain(`${ledgerPath(dataDir)} is damaged`)
    expect(lines[0]).toContain('./tollbook restore <backup> --force')
    expect(readdirSync(dataDir)).not.toContain('service-key.json')
  })

  test('a file where the directory should be', () => {
    const file = join(temporaryDir(), 'file')
    writeFileSync(file, '')
    expect(start(file).lines).toEqual([
      expect.stringContaining(`${file} is a file, not a directory: correct`),
    ])
  })

  test('a ledger that is a directory', () => {
    const dataDir = temporaryDir()
    mkdirSync(ledgerPath(dataDir))
    expect(start(dataDir).lines).toEqual([expect.stringMatching(/ledger.sqlite is not a file: remove it/)])
  })
})
