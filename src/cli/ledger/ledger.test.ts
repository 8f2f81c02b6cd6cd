import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openLedger } from '../../app/ledger/open-ledger.ts'
import { readConfig } from '../../config/config.ts'
import { silentLog } from '../../core/log.ts'
import { systemClock } from '../../core/time/clock.ts'
import { startCommands } from '../../testing/cli/start-commands.ts'
import { dropSchemas, freshSchema, isPostgresMissing } from '../../testing/ledger/postgres.ts'
import { someSales } from '../../testing/ledger/some-sales.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'

const commands = startCommands()
afterAll(() => commands.close())
afterAll(dropSchemas)

const ledger = (dataDir: string, ...args: string[]) => tollbook(dataDir, 'ledger', ...args)
async function tollbook(dataDir: string, ...args: string[]) {
  const env = { PATH: process.env.PATH, TOLLBOOK_DATA_DIR: dataDir }
  const { status, stdout, stderr } = await commands.run({ args, env, cwd: process.cwd() })
  return { status, text: stdout + stderr }
}

describe.skipIf(isPostgresMissing)('tollbook ledger copy', () => {
  test('moves the ledger and shows what was compared, without the password', async () => {
    const dataDir = temporaryDir()
    const config = readConfig({ TOLLBOOK_DATA_DIR: dataDir })
    const { store, close } = await openLedger({ config, clock: systemClock, log: silentLog })
    await someSales(store)
    await close()
    const url = new URL(await freshSchema())
    url.password = 'hidden-word'
    const moved = await ledger(dataDir, 'copy', '--to', url.href)
    expect(moved).toMatchObject({
      status: 0,
      text: expect.stringMatching(/payments settled +4 of 22007 +4 of 22007\n/),
    })
    expect(moved.text).toMatch(/moved: the ledger is in the database postgres at .*Set DATABASE_URL/)
    expect(moved.text).not.toContain('hidden-word')
    expect(moved.text).not.toContain('DIFFERS')
    expect(await ledger(dataDir, 'copy', '--to', url.href)).toMatchObject({
      status: 0,
      text: expect.stringContaining('has this ledger already'),
    })
    // The file sells no more: nobody is to go on with backups of it.
    const saved = join(temporaryDir(), 'saved.sqlite')
    expect(await tollbook(dataDir, 'backup', saved)).toMatchObject({
      status: 1,
      text: expect.stringMatching(/was moved to the database postgres at .*set DATABASE_URL/),
    })
    expect(existsSync(saved)).toBe(false)
    expect(await tollbook(dataDir, 'check-ledger')).toMatchObject({
      status: 0,
      text: expect.stringMatching(/ledger\.sqlite: .*4 of them settled[\s\S]*moved to the database postgres/),
    })
    url.password = ''
    expect(await tollbook(dataDir, 'check-ledger', '--database', url.href)).toMatchObject({
      status: 0,
      text: expect.stringMatching(/^the database postgres at .*4 of them settled\n/),
    })
  })
})

test('a server that is not there, and a wrong address, are told without the password', async () => {
  const dataDir = temporaryDir()
  const config = readConfig({ TOLLBOOK_DATA_DIR: dataDir })
  await (await openLedger({ config, clock: systemClock, log: silentLog })).close()
  for (const [url, message] of [
    [
      'postgres://me:hidden-word@127.0.0.1:1/none',
      /: the database none at 127\.0\.0\.1:1: the ledger cannot be reached \(connect ECONNREFUSED 127\.0\.0\.1:1\)$/m,
    ],
    ['postgres//me:hidden-word@127.0.0.1:1/none', /no address of PostgreSQL/],
  ] as const) {
    const { status, text } = await ledger(dataDir, 'copy', '--to', url)
    expect([status, text]).toEqual([1, expect.stringMatching(message)])
    expect(text).not.toContain('hidden-word')
  }
})

test.each([[[]], [['copy']], [['paste', '--to', 'x']]])('%j shows how it is used', async (args) => {
  expect(await ledger(temporaryDir(), ...args)).toMatchObject({
    status: 2,
    text: expect.stringContaining('usage: tollbook ledger copy'),
  })
})
