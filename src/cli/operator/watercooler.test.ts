import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLedger } from '../../app/ledger/open-ledger.ts'
import { readConfig } from '../../config/config.ts'
import { silentLog } from '../../core/log.ts'
import { systemClock } from '../../core/time/clock.ts'
import { startCommands } from '../../testing/cli/start-commands.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tollbook-watercooler-'))
const config = readConfig({ TOLLBOOK_DATA_DIR: dataDir })
const commands = startCommands()
const told = (...args: string[]) =>
  commands.run({
    args: ['watercooler', ...args],
    env: { PATH: process.env.PATH, TOLLBOOK_DATA_DIR: dataDir },
    cwd: temporaryDir(),
  })
let running: Awaited<ReturnType<typeof openLedger>>

beforeAll(async () => {
  running = await openLedger({ config, clock: systemClock, log: silentLog })
})
afterAll(async () => {
  await running.close()
  await commands.close()
  rmSync(dataDir, { recursive: true, force: true })
})

test('messages are listed and removed beside a running service', async () => {
  expect(await told('list')).toMatchObject({ status: 0, stdout: 'nobody has said anything\n' })
  const { watercooler } = running.store
  for (const message of ['one "quoted"', 'two', 'three'])
    await watercooler.add({ atMs: Date.UTC(2026, 0, 5), author: 'Ann', message })
  expect(await told('list', '--last', '2')).toMatchObject({
    status: 0,
    stdout: '3  2026-01-05T00:00:00Z  "Ann"  "three"\n2  2026-01-05T00:00:00Z  "Ann"  "two"\n',
  })
  const removed = '1  2026-01-05T00:00:00Z  "Ann"  "one \\"quoted\\""'
  expect(await told('remove', '1')).toMatchObject({ status: 0, stdout: `removed ${removed}\n` })
  expect((await watercooler.newest(9)).map(({ id }) => id)).toEqual([3, 2])
  expect(await told('remove', '1')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('no message 1'),
  })
})

test.each([
  [],
  ['remove'],
  ['remove', '0'],
  ['remove', '1x'],
  ['remove', '1', '2'],
  ['remove', '1', '--last', '2'],
  ['list', '1'],
  ['list', '--last', '0'],
  ['list', '--last', '5001'],
  ['purge'],
])('%j is refused with the usage', async (...args) => {
  expect(await told(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining('usage:') })
})
