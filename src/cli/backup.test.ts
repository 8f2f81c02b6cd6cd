import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLedger } from '../app/ledger/open-ledger.ts'
import { readConfig } from '../config/config.ts'
import { silentLog } from '../core/log.ts'
import { systemClock } from '../core/time/clock.ts'
import { openServiceKey } from '../payments/receipts/service-key.ts'
import { temporaryDir } from '../testing/ledger/temporary-dir.ts'

/** Runs the command in a process of its own, as the shell would. */
function tollbook(dataDir: string, command: 'backup' | 'restore' | 'adopt', args: string[], more = {}) {
  const module = new URL(`./${command}.ts`, import.meta.url).href
  const code = `const { run } = await import(${JSON.stringify(module)}); await run(${JSON.stringify(args)})`
  const env = { PATH: process.env.PATH, TOLLBOOK_DATA_DIR: dataDir, ...more }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    env,
    encoding: 'utf8',
  })
  return { status, text: stdout + stderr }
}

const open = (dataDir: string) =>
  openLedger({
    config: readConfig({ TOLLBOOK_DATA_DIR: dataDir }),
    clock: systemClock,
    log: silentLog,
  })

/** A service without its market: ledger, keys and lock. */
async function serving() {
  const root = temporaryDir()
  const dataDir = join(root, 'data')
  const { close } = await open(dataDir)
  openServiceKey(dataDir)
  writeFileSync(join(dataDir, 'svm-journal.jsonl'), '')
  return { root, dataDir, backup: join(root, 'saved.sqlite'), stop: close }
}

test('backup beside a running service, restore only without one, and both say what they did', async () => {
  const { dataDir, backup, stop } = await serving()
  const saved = tollbook(dataDir, 'backup', [backup])
  expect(saved.status).toBe(0)
  expect(saved.text).toMatch(/ledger [0-9a-f]{32} of sandbox mode, 0 payments/)
  expect(saved.text).toContain(
    'sandbox-keys.json, service-key.json, NOT ENCRYPTED: whoever has this file can sign',
  )
  expect(saved.text).toContain('NOT in it: svm-journal.jsonl')
  expect(tollbook(dataDir, 'restore', ['--force', backup])).toMatchObject({
    status: 1,
    text: expect.stringContaining('in use by a running service'),
  })
  await stop()
  expect(tollbook(dataDir, 'restore', [backup])).toMatchObject({
    status: 1,
    text: expect.stringContaining('--force'),
  })
  const restored = tollbook(dataDir, 'restore', ['--force', backup])
  expect(restored.text).toMatch(
    /^restored to .*\nkeys restored: .*\nwhat was there before is kept as .*before-restore-/,
  )
  expect(restored.text).toContain('the other copy of this ledger must never serve again')
  expect(restored.status).toBe(0)
})

test('a passphrase comes from a file or a variable, and what is not right is said', async () => {
  const { root, dataDir, backup, stop } = await serving()
  await stop()
  const file = join(root, 'passphrase')
  writeFileSync(file, 'too short\n')
  expect(tollbook(dataDir, 'backup', [backup, '--passphrase-file', file]).text).toMatch(
    /at least 16 characters/,
  )
  expect(tollbook(dataDir, 'backup', [backup, '--passphrase-file', `${file}.none`]).text).toMatch(
    /passphrase.none cannot be used, it does not exist/,
  )
  expect(existsSync(backup)).toBe(false)
  writeFileSync(file, 'a passphrase in a file\nand a second line\n')
  expect(tollbook(dataDir, 'backup', [backup, '--passphrase-file', file]).text).toContain(
    'encrypted with the passphrase',
  )
  const target = join(root, 'new')
  expect(tollbook(target, 'restore', [backup])).toMatchObject({
    status: 1,
    text: expect.stringContaining('are encrypted'),
  })
  const passphrase = { TOLLBOOK_BACKUP_PASSPHRASE: 'a passphrase in a file' }
  expect(tollbook(target, 'restore', [backup], passphrase).status).toBe(0)
  const key = (dir: string) => readFileSync(join(dir, 'service-key.json'), 'utf8')
  expect(key(target)).toBe(key(dataDir))
  await (await open(target)).close()
})

test('restore refuses the mode that is not the backup’s, and a directory of play money in live mode', async () => {
  const { root, dataDir, backup, stop } = await serving()
  await stop()
  tollbook(dataDir, 'backup', [backup])
  const target = join(root, 'new')
  expect(tollbook(target, 'restore', [backup], { TOLLBOOK_MODE: 'paper' }).text).toContain(
    'set TOLLBOOK_MODE=sandbox',
  )
  expect(existsSync(join(target, 'ledger.sqlite'))).toBe(false)
})

test('adopt says what it means and wants a yes', async () => {
  const { root, dataDir, stop } = await serving()
  await stop()
  const copy = join(root, 'copy')
  cpSync(dataDir, copy, { recursive: true })
  await expect(open(copy)).rejects.toThrow(/is a copy/)
  const asked = tollbook(copy, 'adopt', [])
  expect(asked.status).toBe(1)
  expect(asked.text).toMatch(
    /is a copy of the ledger at[\s\S]*must never serve again[\s\S]*nothing was changed: pass --yes/,
  )
  await expect(open(copy)).rejects.toThrow(/is a copy/)
  expect(tollbook(copy, 'adopt', ['--yes'])).toMatchObject({
    status: 0,
    text: expect.stringContaining('adopted: '),
  })
  const { close } = await open(copy)
  expect(tollbook(copy, 'adopt', ['--yes'])).toMatchObject({
    status: 1,
    text: expect.stringContaining('in use by a running service'),
  })
  await close()
  expect(tollbook(copy, 'adopt', ['--yes'])).toMatchObject({
    status: 0,
    text: expect.stringContaining('needs no adoption'),
  })
  expect(tollbook(join(root, 'none'), 'adopt', ['--yes'])).toMatchObject({
    status: 1,
    text: expect.stringMatching(/no ledger at .*none.*correct TOLLBOOK_DATA_DIR/),
  })
  expect(existsSync(join(root, 'none'))).toBe(false)
})

test('without a file both say how they are used', () => {
  for (const command of ['backup', 'restore'] as const)
    expect(tollbook('unused', command, [])).toMatchObject({
      status: 2,
      text: expect.stringContaining(`usage: tollbook ${command} <file>`),
    })
  expect(tollbook('unused', 'adopt', ['--no'])).toMatchObject({ status: 2 })
})
