import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { silentLog } from '../../core/log.ts'
import { systemClock } from '../../core/time/clock.ts'
import { openSandboxKeys } from '../../sandbox/keys.ts'
import { PLACES_FILE } from '../../sandbox/state-files.ts'
import { findWorldFile, worldPath, writeWorldFile } from '../../sandbox/world/world-file.ts'
import { serveWorld } from '../../sandbox/world/world-server.ts'
import { liveEnvironment } from '../../testing/config/live-environment.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { openOutsideWorld } from '../outside-world.ts'
import { runSandboxWorld } from './run-world.ts'

const PAPER = { TOLLBOOK_MODE: 'paper' }
const ID = '6e8d1b1e-6d0c-4d4e-9f1f-0d5f3c3e5a10'
const configOf = (dataDir: string, env: Record<string, string>) =>
  readConfig({ TOLLBOOK_DATA_DIR: dataDir, ...env })
const enter = (dataDir: string, env: Record<string, string> = PAPER) =>
  openOutsideWorld({ ...configOf(dataDir, env), role: 'engine' }, systemClock, silentLog)
const run = (dataDir: string, env: Record<string, string> = {}) =>
  runSandboxWorld({ config: configOf(dataDir, env), clock: systemClock, log: silentLog })

/** Something that answers as a sandbox, and a file that tells of it. */
async function pretend(
  dataDir: string,
  { id = ID, payTo = openSandboxKeys(dataDir).svm.address, chains = true },
) {
  const wallets = { fresh: () => Promise.reject(new Error('no block is made')) }
  const server = await serveWorld({ port: 0, id: ID, wallets })
  const rpc = { evm: [], svm: ['http://127.0.0.1:1'] }
  const money = { pay_to: { svm: payTo }, rpc, facilitator_url: 'http://127.0.0.1:1' }
  const facts = { version: 1, id, pid: process.pid, mode: 'paper', world_url: server.url } as const
  writeWorldFile(dataDir, { ...facts, ...(chains && { money }) })
  return { [Symbol.asyncDispose]: server.close }
}

describe('a process that would join is told what to do', () => {
  test('where no sandbox runs', async () => {
    await expect(enter(temporaryDir())).rejects.toThrow(
      /sandbox-world\.json is missing: start .\/tollbook sandbox/,
    )
  })

  test.each([
    ['{"version":1', 'cut off'],
    ['{"version":2}', 'of another release'],
    [
      JSON.stringify({ version: 1, id: ID, pid: 1, mode: 'paper', world_url: 'https://example.com' }),
      'elsewhere',
    ],
  ])('where the file is damaged: %s', async (text) => {
    const dataDir = temporaryDir()
    writeFileSync(worldPath(dataDir), text)
    await expect(enter(dataDir)).rejects.toThrow(
      /is damaged or of another release: stop .\/tollbook sandbox and start it again/,
    )
  })

  test('where somebody else answers', async () => {
    const dataDir = temporaryDir()
    await using _ = await pretend(dataDir, { id: ID.replace('6', '7') })
    await expect(enter(dataDir)).rejects.toThrow(/another sandbox than that of .* answers at/)
  })

  test('where keys are not those of the sandbox, or it runs no chains', async () => {
    const dataDir = temporaryDir()
    await using _ = await pretend(dataDir, { payTo: openSandboxKeys(temporaryDir()).svm.address })
    await expect(enter(dataDir)).rejects.toThrow(/are not those that the sandbox was started with/)
    await using __ = await pretend(dataDir, { chains: false })
    await expect(enter(dataDir)).rejects.toThrow(/runs no chains.*set TOLLBOOK_EVM_RPC_URL/)
  })

  test('where no play money comes', async () => {
    const dataDir = temporaryDir()
    await using _ = await pretend(dataDir, {})
    const { money } = await enter(dataDir)
    await expect(money.wallets?.fresh()).rejects.toMatchObject({
      code: 'upstream_unavailable',
      message: expect.stringContaining('no block is made'),
    })
  })
})

test('with chains of somebody else and real venues no sandbox is needed', async () => {
  const env = { ...PAPER, TOLLBOOK_SVM_RPC_URL: 'http://127.0.0.1:8899' }
  const dataDir = temporaryDir()
  const { money } = await enter(dataDir, env)
  expect([money.rpc.svm, money.wallets]).toEqual([['http://127.0.0.1:8899'], undefined])
  await expect(run(dataDir, env)).rejects.toThrow(/nothing is left to run/)
})

describe('a sandbox refuses', () => {
  test('live mode', async () => {
    const dataDir = temporaryDir()
    await expect(run(dataDir, liveEnvironment)).rejects.toThrow(/nothing is simulated in live mode/)
  })

  test.each(['ledger.sqlite', 'served-from.json', 'service-key.json'])(
    'a directory that was served from without play money (%s)',
    async (name) => {
      const dataDir = temporaryDir()
      writeFileSync(join(dataDir, name), '{}')
      await expect(run(dataDir)).rejects.toThrow(
        `(${name}) and no sandbox-keys.json: if it is of live mode, name another directory`,
      )
    },
  )

  test('places that it cannot read, and leaves no file that would be joined', async () => {
    const dataDir = temporaryDir()
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(join(dataDir, PLACES_FILE), '{')
    await using _ = await pretend(dataDir, {})
    await expect(run(dataDir)).rejects.toThrow(/sandbox-places\.json is damaged: remove it/)
    expect(findWorldFile(dataDir)).toBeUndefined()
  })
})
