import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTokenKeys } from '../../access/wallet/token-keys.ts'
import { openLedger } from '../../app/ledger/open-ledger.ts'
import { useLedger } from '../../app/ledger/use-ledger.ts'
import { readConfig } from '../../config/config.ts'
import { silentLog } from '../../core/log.ts'
import { systemClock } from '../../core/time/clock.ts'
import { DAY_MS } from '../../core/time/time.ts'
import type { IssuedToken } from '../../ledger/ports/sign-in-book.ts'
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

const JTI = 'p0Z5bQm1Yc8Kd2-q3Zr_Xw'
const WALLET = `0x${'a1'.repeat(20)}` as const
const OTHER = `0x${'b2'.repeat(20)}`
const withLedger = <T>(work: Parameters<typeof useLedger<T>>[1]) =>
  useLedger({ config, clock: systemClock }, work)
const isRevoked = (token: IssuedToken) => withLedger(({ signIn }) => signIn.isRevoked(token))
beforeAll(async () => {
  const { close } = await openLedger({ config, clock: systemClock, log: silentLog })
  await close()
})

test('rotates the keys, replaces them all where they leaked, and revokes a token', async () => {
  const [first, second] = published()
  expect((await tokens('rotate')).stdout).toContain(`signed with ${second} from now on`)
  expect(published()).toEqual([second, expect.any(String), first])
  await tokens('rotate', '--leaked')
  expect(published()).toHaveLength(2)
  expect([first, second].some((kid) => published().includes(kid as string))).toBe(false)

  expect((await tokens('revoke', JTI)).stdout).toContain(`${JTI} will open nothing until 2`)
  expect(await isRevoked({ id: JTI, wallet: WALLET, issuedMs: 0 })).toBe(true)
}, 60_000)

test('ends all tokens that a wallet got until now, and none that it gets later', async () => {
  const startMs = systemClock.now()
  const { stdout } = await tokens('revoke', '--wallet', getAddress(WALLET))
  expect(stdout).toContain(`tokens that ${WALLET} got until`)
  const of = (wallet: string, issuedMs: number) => isRevoked({ id: 'other', wallet, issuedMs })
  expect(await of(WALLET, startMs)).toBe(true)
  expect(await of(WALLET, systemClock.now() + 1)).toBe(false)
  expect(await of(OTHER, startMs)).toBe(false)
}, 60_000)

test('lists who called most today, and how much of the cap that is', async () => {
  expect((await tokens('holders')).stdout).toContain('no wallet has made holder calls')
  const used = [
    { keys: ['10.0.0.1'], calls: 7 },
    { keys: [`holder ${WALLET}`, 'holder *'], calls: 20 },
    { keys: [`holder ${OTHER}`, 'holder *'], calls: 2_000 },
  ]
  // Also for tomorrow, should the day end meanwhile.
  const day = Math.floor(systemClock.now() / DAY_MS)
  await withLedger(async ({ demo }) => {
    const takeOn = (each: number) =>
      used.flatMap(({ keys, calls }) =>
        Array.from({ length: calls }, () =>
          demo.take(
            each,
            keys.map((key) => [key, 9_999]),
          ),
        ),
      )
    await Promise.all([...takeOn(day), ...takeOn(day + 1)])
  })
  const lines = (await tokens('holders')).stdout.split('\n')
  expect(lines[1]).toMatch(new RegExp(`^${OTHER} +2000 +\\? +1.00 %$`))
  expect(lines[2]).toMatch(new RegExp(`^${WALLET} +20 +\\? +0.01 %$`))
  expect(lines[3]).toContain('2020 of 200000 calls, 1.01 %')
}, 60_000)

test.each([
  [[]],
  [['list']],
  [['revoke']],
  [['revoke', 'a b']],
  [['revoke', JTI, '--leaked']],
  [['revoke', JTI, '--wallet', WALLET]],
  [['revoke', '--wallet', '0x12']],
  [['rotate', '--wallet', WALLET]],
  [['holders', '--leaked']],
])(
  'what means nothing is refused: %j',
  async (args) => {
    expect(await tokens(...args)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('usage: tollbook tokens'),
    })
  },
  30_000,
)

test('what can be no jti says that no token has it', async () => {
  expect(await tokens('revoke', 'nonsense')).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining('"nonsense" is no jti'),
  })
}, 30_000)
