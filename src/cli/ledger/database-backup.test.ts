import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startCommands } from '../../testing/cli/start-commands.ts'
import { prepared } from '../../testing/ledger/copy/prepared-copy.ts'
import { dropSchemas, freshDatabase, isPostgresMissing } from '../../testing/ledger/postgres.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'

const commands = startCommands()
afterAll(() => commands.close())
afterAll(dropSchemas)

async function tollbook(...args: string[]) {
  const env = { PATH: process.env.PATH, TOLLBOOK_DATA_DIR: temporaryDir() }
  const { status, stdout, stderr } = await commands.run({ args, env, cwd: process.cwd() })
  return { status, text: stdout + stderr }
}

describe.skipIf(isPostgresMissing)('a ledger in a database', () => {
  test('is backed up, restored, and checked by commands, without the password', async () => {
    const { url, copy } = await prepared()
    await copy()
    const withPassword = new URL(url)
    withPassword.password = 'hidden-word'
    const file = join(temporaryDir(), 'ledger.dump')
    const there = await freshDatabase(url)
    expect(await tollbook('check-ledger', '--database', there)).toMatchObject({
      status: 1,
      text: expect.stringContaining('there is no ledger in the database'),
    })
    const told = [
      await tollbook('backup', file, '--database', withPassword.href),
      await tollbook('restore', file, '--database', there),
      await tollbook('check-ledger', '--database', there),
      await tollbook('ledger', 'check', '--database', there, '--at', `${file}.manifest.json`),
    ]
    expect(told.map(({ status, text }) => [status, text.split('\n')[0]])).toEqual([
      [
        0,
        expect.stringMatching(
          /: ledger f{32} of sandbox mode, 8 payments, 6 of them settled, a record of 2 leaves$/,
        ),
      ],
      [
        0,
        expect.stringMatching(/^restored to the database tollbook_test_.*, and the same as the manifest: /),
      ],
      [0, expect.stringMatching(/^the database tollbook_test_.*: 8 payments, 6 of them settled$/)],
      [0, expect.stringMatching(/^all that was signed and settled by \d{4}-.* is in the database /)],
    ])
    // What is no such backup is told for what it is.
    const alone = join(temporaryDir(), 'alone.dump')
    copyFileSync(file, alone)
    expect((await tollbook('restore', alone, '--database', there)).text).toContain(
      `${alone} has no ${alone}.manifest.json beside it: put it there`,
    )
    const ofFile = join(temporaryDir(), 'ledger.backup')
    writeFileSync(ofFile, `SQLite format 3\0${'\0'.repeat(500)}`)
    expect((await tollbook('restore', ofFile, '--database', there)).text).toContain(
      `${ofFile} is a backup of a ledger in a file: leave --database out`,
    )
    expect((await tollbook('restore', alone)).text).toContain(
      'is a dump of a database: name an empty database',
    )
    expect(told.map(({ text }) => text).join()).not.toContain('hidden-word')
    expect(await tollbook('restore', file, '--database', there)).toMatchObject({
      status: 1,
      text: expect.stringContaining('is not empty'),
    })
  })
})

test.each([
  [['backup', 'x', '--database', 'http://me:hidden-word@h/d'], 1, /no address of PostgreSQL/],
  [['restore', 'x', '--database', 'postgres://h/d', '--force'], 2, /--database goes with no other option/],
  [['ledger', 'check', '--database', 'postgres://h/d'], 2, /the manifest of a backup with --at/],
  [
    ['ledger', 'check', '--database', 'postgres://h/d', '--at', '/none'],
    1,
    /\/none cannot be used, it does not exist/,
  ],
])('%j is refused', async (args, status, message) => {
  const told = await tollbook(...args)
  expect([told.status, told.text]).toEqual([status, expect.stringMatching(message)])
  expect(told.text).not.toContain('hidden-word')
})
