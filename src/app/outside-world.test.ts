import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { silentLog } from '../core/log.ts'
import { createManualClock } from '../core/time/manual-clock.ts'
import { openSandboxKeys } from '../sandbox/keys.ts'
import { liveEnvironment } from '../testing/config/live-environment.ts'
import { createKeptLog } from '../testing/kept-log.ts'
import { temporaryDir } from '../testing/ledger/temporary-dir.ts'
import { openOutsideWorld } from './outside-world.ts'

const open = (env: Record<string, string>) =>
  openOutsideWorld(readConfig(env), createManualClock(Date.UTC(2026, 4, 6)), silentLog)

test('live mode uses what is configured and nothing that is simulated', async () => {
  const moved = 'https://mirror.example'
  const { upstreams, oracleKeys, money } = await open({
    ...liveEnvironment,
    TOLLBOOK_UPSTREAM_COINBASE_URL: moved,
  })
  expect(upstreams).toMatchObject({ BINANCE: 'https://data-api.binance.vision', COINBASE: moved })
  expect(oracleKeys).toBeUndefined()
  expect(money.payTo).toEqual({
    evm: liveEnvironment.TOLLBOOK_PAY_TO_EVM,
    svm: liveEnvironment.TOLLBOOK_PAY_TO_SVM,
  })
  expect(money.rpc).toEqual({ evm: 'https://base.example', svm: 'https://solana.example' })
  expect(money.facilitators.map(({ name }) => name)).toEqual(['one.example', 'two.example'])
  expect(money.wallets).toBeUndefined()
})

test('a key that no facilitator takes is noticed', async () => {
  const keyed = {
    ...liveEnvironment,
    TOLLBOOK_FACILITATOR_KEY_ID: 'name',
    TOLLBOOK_FACILITATOR_KEY: generateKeyPairSync('ed25519').privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    }),
  } as Record<string, string>
  const noticesOf = async (env: Record<string, string>) => {
    const log = createKeptLog()
    await openOutsideWorld(readConfig(env), createManualClock(0), log)
    return log.lines.map(({ level, notice }) => `${level} ${notice}`)
  }
  expect(await noticesOf(keyed)).toEqual([
    'warn TOLLBOOK_FACILITATOR_KEY: none of TOLLBOOK_FACILITATORS takes it; only api.cdp.coinbase.com does',
  ])
  const cdp = 'https://one.example,https://api.cdp.coinbase.com/platform/v2/x402'
  expect(await noticesOf({ ...keyed, TOLLBOOK_FACILITATORS: cdp })).toEqual([])
  expect(await noticesOf(liveEnvironment)).toEqual([])
})

test('paper mode on a local chain reads real venues and offers only that chain', async () => {
  const dataDir = temporaryDir()
  const { upstreams, money } = await open({
    TOLLBOOK_MODE: 'paper',
    TOLLBOOK_DATA_DIR: dataDir,
    TOLLBOOK_SVM_RPC_URL: 'http://127.0.0.1:8899',
  })
  expect(upstreams.BINANCE).toBe('https://data-api.binance.vision')
  expect(money.payTo).toEqual({ evm: undefined, svm: openSandboxKeys(dataDir).svm.address })
})
