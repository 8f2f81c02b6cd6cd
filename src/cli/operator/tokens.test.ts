import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openTokenKeys } from '../../access/wallet/token-keys.ts'
import { openLedger } from '../../app/ledger/open-ledger.ts'
import { useLedger } from '../../app/ledger/use-ledger.ts'
import { readConfig } from '../../config/config.ts'
import { silentLog } from '../../core/log.ts'
import { systemClock } from '../../core/time/clock.ts'
import { startCommands } from '../../testing/cli/start-commands.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tollbook-tokens-'))
const config = readConfig({ TOLLBOOK_DATA_DIR: dataDir })
const commands = startCommands()
afterAll(async () => {
  await commands.close()
  rmSync(dataDir, { recursive: true, force: true })
})
const tokens = (...args: string[]) =>
  commands.run({
    args: ['tokens', ...args],
    env: { PATH: process.env.PATH, TOLLBOOK_DATA_DIR: dataDir },
    cwd: temporaryDir(),
  })
const published = () =>
  openTokenKeys(dataDir, systemClock)
    .published()
    .map(({ kid }) => kid)

test('rotates the keys, replaces them all where they leaked, and revokes a token', async () => {
  const { close } = await openLedger({ config, clock: systemClock, log: silentLog })
  await close()
  const [first, second] = published()
  expect((await tokens('rotate')).stdout).toContain(`signed with ${second} from now on`)
  expect(published()).toEqual([second, expect.any(String), first])
  await tokens('rotate', '--leaked')
  expect(published()).toHaveLength(2)
  expect([first, second].some((kid) => published().includes(kid as string))).toBe(false)

  expect((await tokens('revoke', 'abc-DEF_1')).stdout).toContain('abc-DEF_1 opens nothing')
  const isRevoked = await useLedger({ config, clock: systemClock }, ({ signIn }) =>
    signIn.isRevoked('abc-DEF_1'),
  )
  expect(isRevoked).toBe(true)
}, 60_000)

test.each([[[]], [['list']], [['revoke']], [['revoke', 'a b']], [['revoke', 'a', '--leaked']]])(
  'what means nothing is refused: %j',
  async (args) => {
    expect(await tokens(...args)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('usage: tollbook tokens'),
    })
  },
  30_000,
)
