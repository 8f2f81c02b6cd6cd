import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openLedger } from '../../app/ledger/open-ledger.ts'
import { parseConfigText, toConfigText } from '../../bot/config/stored-config.ts'
import { DEFAULT_CONFIG } from '../../bot/trading-config.ts'
import { readConfig } from '../../config/config.ts'
import { silentLog } from '../../core/log.ts'
import { systemClock } from '../../core/time/clock.ts'
import { openServiceKey } from '../../payments/receipts/service-key.ts'
import { startCommands } from '../../testing/cli/start-commands.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'

const commands = startCommands()
afterAll(() => commands.close())

/** Runs the command in a process that is not the service's, as the shell would. */
async function tollbook(dataDir: string, command: 'backup' | 'restore' | 'adopt', args: string[], more = {}) {
  const env = { PATH: process.env.PATH, TOLLBOOK_DATA_DIR: dataDir, ...more }
  const { status, stdout, stderr } = await commands.run({ args: [command, ...args], env, cwd: process.cwd() })
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
  const saved = await tollbook(dataDir, 'backup', [backup])
  expect(saved.status).toBe(0)
  expect(saved.text).toMatch(/ledger [0-9a-f]{32} of sandbox mode, 0 payments/)
  expect(saved.text).toContain(
    'sandbox-keys.json, service-key.json, NOT ENCRYPTED: whoever has this file can sign',
  )
  expect(saved.text).toContain('NOT in it: svm-journal.jsonl')
  expect(await tollbook(dataDir, 'restore', ['--force', backup])).toMatchObject({
    status: 1,
    text: expect.stringContaining('in use by a running service'),
  })
  await stop()
  expect(await tollbook(dataDir, 'restore', [backup])).toMatchObject({
    status: 1,
    text: expect.stringContaining('--force'),
  })
  const restored = await tollbook(dataDir, 'restore', ['--force', backup])
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
  expect((await tollbook(dataDir, 'backup', [backup, '--passphrase-file', file])).text).toMatch(
    /at least 16 characters/,
  )
  expect((await tollbook(dataDir, 'backup', [backup, '--passphrase-file', `${file}.none`])).text).toMatch(
    /passphrase.none cannot be used, it does not exist/,
  )
  expect(existsSync(backup)).toBe(false)
  writeFileSync(file, 'a passphrase in a file\nand a second line\n')
  expect((await tollbook(dataDir, 'backup', [backup, '--passphrase-file', file])).text).toContain(
    'encrypted with the passphrase',
  )
  const target = join(root, 'new')
  expect(await tollbook(target, 'restore', [backup])).toMatchObject({
    status: 1,
    text: expect.stringContaining('are encrypted'),
  })
  const passphrase = { TOLLBOOK_BACKUP_PASSPHRASE: 'a passphrase in a file' }
  expect((await tollbook(target, 'restore', [backup], passphrase)).status).toBe(0)
  const key = (dir: string) => readFileSync(join(dir, 'service-key.json'), 'utf8')
  expect(key(target)).toBe(key(dataDir))
  await (await open(target)).close()
})

test('restore refuses the mode that is not the backup’s, and a directory of play money in live mode', async () => {
  const { root, dataDir, backup, stop } = await serving()
  await stop()
  await tollbook(dataDir, 'backup', [backup])
  const target = join(root, 'new')
  expect((await tollbook(target, 'restore', [backup], { TOLLBOOK_MODE: 'paper' })).text).toContain(
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
  const asked = await tollbook(copy, 'adopt', [])
  expect(asked.status).toBe(1)
  expect(asked.text).toMatch(
    /is a copy of the ledger at[\s\S]*must never serve again[\s\S]*nothing was changed: pass --yes/,
  )
  await expect(open(copy)).rejects.toThrow(/is a copy/)
  expect(await tollbook(copy, 'adopt', ['--yes'])).toMatchObject({
    status: 0,
    text: expect.stringContaining('adopted: '),
  })
  const { close } = await open(copy)
  expect(await tollbook(copy, 'adopt', ['--yes'])).toMatchObject({
    status: 1,
    text: expect.stringContaining('in use by a running service'),
  })
  await close()
  expect(await tollbook(copy, 'adopt', ['--yes'])).toMatchObject({
    status: 0,
    text: expect.stringContaining('needs no adoption'),
  })
  expect(await tollbook(join(root, 'none'), 'adopt', ['--yes'])).toMatchObject({
    status: 1,
    text: expect.stringMatching(/no ledger at .*none.*correct TOLLBOOK_DATA_DIR/),
  })
  expect(existsSync(join(root, 'none'))).toBe(false)
})

describe('a bot that traded live', () => {
  const live = toConfigText({ ...DEFAULT_CONFIG, simMode: false, minConfidence: 0.7 })
  const row = { version: 1, atMs: 1, by: 'me', text: live }
  const configsIn = async (dataDir: string) => {
    const { store, close } = await open(dataDir)
    const rows = await store.bot.configs({ limit: 9, offset: 0 })
    await close()
    return rows.map(({ version, by, text }) => ({ version, by, ...parseConfigText(text) }))
  }
  const before = { version: 1, by: 'me', simMode: false, minConfidence: 0.7 }

  test.each([
    ['restored', 'restore'],
    ['adopted', 'adopt'],
  ] as const)('is on simulated money where its ledger is %s, once, and it is said', async (_, command) => {
    const { root, dataDir, backup, stop } = await serving()
    await stop()
    const { store, close } = await open(dataDir)
    await store.bot.addConfig(row)
    await close()
    const target = join(root, 'new')
    if (command === 'adopt') cpSync(dataDir, target, { recursive: true })
    else await tollbook(dataDir, 'backup', [backup])
    const args = command === 'adopt' ? ['--yes'] : [backup]
    const first = await tollbook(target, command, args)
    expect(first).toMatchObject({ status: 0, text: expect.stringContaining('THE BOT TRADED LIVE') })
    expect(await configsIn(target)).toMatchObject([
      { version: 2, by: command, simMode: true, minConfidence: 0.7 },
      before,
    ])
    expect(await configsIn(dataDir)).toMatchObject([before])

    const again = join(root, 'again')
    cpSync(target, again, { recursive: true })
    const second = await tollbook(again, 'adopt', ['--yes'])
    expect(second.text).toContain('adopted: ')
    expect(second.text).not.toContain('LIVE')
    expect(await configsIn(again)).toHaveLength(2)
  })

  test('stays as it is where only the keys are restored', async () => {
    const { dataDir, backup, stop } = await serving()
    await stop()
    await tollbook(dataDir, 'backup', [backup])
    const { store, close } = await open(dataDir)
    await store.bot.addConfig(row)
    await close()
    const { status, text } = await tollbook(dataDir, 'restore', [backup, '--keys-only', '--force'])
    expect([status, text]).toEqual([0, expect.not.stringContaining('LIVE')])
    expect(await configsIn(dataDir)).toMatchObject([before])
  })
})

test('without a file both say how they are used', async () => {
  for (const command of ['backup', 'restore'] as const)
    expect(await tollbook('unused', command, [])).toMatchObject({
      status: 2,
      text: expect.stringContaining(`usage: tollbook ${command} <file>`),
    })
  expect(await tollbook('unused', 'adopt', ['--no'])).toMatchObject({ status: 2 })
})
