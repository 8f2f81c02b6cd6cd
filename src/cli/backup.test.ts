import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ledgerPath } from '../ledger/files/ledger-file.ts'
import { holdServiceLock } from '../ledger/files/service-lock.ts'
import { openSqliteStore } from '../ledger/sqlite/store.ts'
import { temporaryDir } from '../testing/ledger/temporary-dir.ts'

/** Runs the command in a process of its own, as the shell would. */
function tollbook(dataDir: string, command: 'backup' | 'restore', ...args: string[]) {
  const module = new URL(`./${command}.ts`, import.meta.url).href
  const code = `const { run } = await import(${JSON.stringify(module)}); await run(${JSON.stringify(args)})`
  const env = { PATH: process.env.PATH, TOLLBOOK_DATA_DIR: dataDir }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    env,
    encoding: 'utf8',
  })
  return { status, text: stdout + stderr }
}

test('backup beside a running service, restore only without one', async () => {
  const dataDir = temporaryDir()
  const backup = join(dataDir, 'saved.sqlite')
  const store = openSqliteStore(ledgerPath(dataDir))
  const lock = holdServiceLock(dataDir)
  expect(tollbook(dataDir, 'backup', backup)).toEqual({
    status: 0,
    text: `${backup}: 0 payments, 0 of them settled, 0 stored replies\n`,
  })
  expect(tollbook(dataDir, 'restore', '--force', backup)).toMatchObject({
    status: 1,
    text: expect.stringContaining('in use by a running service'),
  })
  await store.close()
  lock.release()
  expect(tollbook(dataDir, 'restore', backup)).toMatchObject({
    status: 1,
    text: expect.stringContaining('--force'),
  })
  const restored = tollbook(dataDir, 'restore', '--force', backup)
  expect(restored.text).toMatch(/^restored: 0 payments.*\nthe ledger before it is kept as .*before-restore-/)
  expect(restored.status).toBe(0)
})

test('without a file both say how they are used', () => {
  for (const command of ['backup', 'restore'] as const)
    expect(tollbook('unused', command)).toMatchObject({
      status: 2,
      text: expect.stringContaining(`usage: tollbook ${command} <file>`),
    })
})
