import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { admitLedger } from '../../src/app/ledger/admit-ledger.ts'
import { openMarket, waitForFirstData } from '../../src/app/market.ts'
import type { OutsideWorld } from '../../src/app/outside-world.ts'
import { readConfig } from '../../src/config/config.ts'
import { silentLog } from '../../src/core/log.ts'
import { systemClock } from '../../src/core/time/clock.ts'
import { ledgerPath } from '../../src/ledger/files/ledger-file.ts'
import { findWorldFile, worldPath } from '../../src/sandbox/world/world-file.ts'
import { moneyOf } from '../../src/testing/chain-money.ts'
import { lackOf } from '../../src/testing/missing.ts'
import { type CommandProcess, endChainOf, startCommand } from '../../src/testing/sandbox/world-process.ts'
import { join, pay } from './joined-world.ts'

const SOLD = {
  verified: { answer: { isValid: true } },
  settled: { answer: { success: true } },
  paid: 12_000n,
}

function freshDir(): string {
  return mkdtempSync(joinPath(tmpdir(), 'tollbook-world-'))
}

const isAccepted = async ({ upstreams, prediction }: OutsideWorld) => {
  const { apiKey, address } = prediction?.relayerKey ?? {}
  const headers = { RELAYER_API_KEY: apiKey?.reveal() ?? '', RELAYER_API_KEY_ADDRESS: address ?? '' }
  return (await fetch(`${upstreams.RELAYER}/transactions`, { headers })).status === 200
}

describe('a sandbox that several processes share', () => {
  const dataDir = freshDir()
  let running: CommandProcess
  let hasEvm: boolean
  beforeAll(async () => {
    running = startCommand('sandbox', dataDir)
    expect(await running.ready, running.said.stderr).toBeDefined()
    hasEvm = findWorldFile(dataDir)?.money?.pay_to.evm !== undefined
  })
  afterAll(async () => {
    await running?.stop('SIGTERM')
    rmSync(dataDir, { recursive: true })
  })

  test('says how it is used, and where it is, to its owner only', async () => {
    expect(await running.ready).toMatch(
      /^tollbook sandbox ready http:\/\/127\.0\.0\.1:\d+ mode=sandbox: start /,
    )
    expect(await running.ready).toContain(
      'TOLLBOOK_ROLE=engine ./tollbook serve and TOLLBOOK_ROLE=api ./tollbook serve',
    )
    expect(statSync(worldPath(dataDir)).mode & 0o077).toBe(0)
    expect(findWorldFile(dataDir)).toMatchObject({ pid: running.pid, mode: 'sandbox' })
  })

  test('is joined by processes at once, and each buys on both chains', async (context) => {
    const joined = await Promise.all([join(dataDir), join(dataDir)])
    const [one, other] = joined
    expect(one?.money.rpc).toEqual(other?.money.rpc)
    expect(one?.money.payTo).toEqual(other?.money.payTo)
    for (const world of joined) expect(await pay(world, dataDir, 'svm')).toMatchObject(SOLD)
    if (!hasEvm) return context.skip(lackOf('anvil'))
    const sales = await Promise.all(joined.map((world) => pay(world, dataDir, 'evm')))
    expect(sales).toMatchObject([SOLD, SOLD])
    expect(sales.map(({ funded }) => funded)).toEqual([10_000_000n, 10_000_000n])
  })

  test('has an account to trade with, and the exchanges of its wallets', async (context) => {
    const world = await join(dataDir)
    expect(world.findExchange).toBeDefined()
    if (!hasEvm) return context.skip(lackOf('anvil'))
    expect(await isAccepted(world)).toBe(true)
  })

  test('gives prices and the oracle to who joined', async () => {
    const open = openMarket({ world: await join(dataDir), clock: systemClock, log: silentLog })
    onTestFinished(() => open.stop())
    await waitForFirstData(open, systemClock, silentLog)
    expect(open.market.price('BTC')).toBeDefined()
    expect(open.market.oracle('BTC').last.twap_60s).toMatchObject({ source: 'polybolt' })
  })

  test('lets no page of a browser have play money', async () => {
    const url = `${findWorldFile(dataDir)?.world_url}/wallets`
    expect((await fetch(url, { method: 'POST', body: 'a=b' })).status).toBe(415)
    expect((await fetch(url)).status).toBe(404)
  })

  test('is alone on its directory: neither a second one nor a service that does everything starts', async () => {
    for (const command of ['sandbox', 'serve']) {
      const second = startCommand(command, dataDir, { PORT: '0', TOLLBOOK_LOG_LEVEL: 'error' })
      expect(await second.ended).toBe(1)
      expect(second.said.stderr).toContain('is in use by a running service')
    }
    expect(await join(dataDir)).toBeDefined()
  })

  test('is refused by a process with another seed or mode', async () => {
    await expect(join(dataDir, { TOLLBOOK_SANDBOX_SEED: '7' })).rejects.toThrow(
      /has the seed 1, and this process 7: set TOLLBOOK_SANDBOX_SEED to the same/,
    )
    await expect(join(dataDir, { TOLLBOOK_MODE: 'paper' })).rejects.toThrow(
      /runs in sandbox mode, and this process in paper mode: set TOLLBOOK_MODE/,
    )
  })

  test('killed and started again it is where it was, and who joined before goes on', async (context) => {
    const world = await join(dataDir)
    const open = openMarket({ world, clock: systemClock, log: silentLog })
    onTestFinished(() => open.stop())
    await waitForFirstData(open, systemClock, silentLog)
    const { holding } = await pay(world, dataDir, hasEvm ? 'evm' : 'svm')
    const before = findWorldFile(dataDir)
    await running.stop('SIGKILL')
    await expect(join(dataDir)).rejects.toThrow(
      /\(process \d+\) does not answer at http.*ECONNREFUSED.*: start \.\/tollbook sandbox again/,
    )
    await expect(world.money.wallets?.fresh()).rejects.toThrow(/hands out no play money now: .*ECONNREFUSED/)
    const backMs = systemClock.now()
    running = startCommand('sandbox', dataDir)
    expect(await running.ready, running.said.stderr).toBeDefined()
    const after = findWorldFile(dataDir)
    expect(after).toEqual({ ...before, id: after?.id, pid: running.pid })
    expect(await moneyOf(holding)).toBe(10_000_000n - SOLD.paid)
    expect(await pay(world, dataDir, 'svm')).toMatchObject(SOLD)
    await expect.poll(() => open.market.price('BTC')?.asOfMs, { timeout: 60_000 }).toBeGreaterThan(backMs)
    await expect
      .poll(() => open.market.oracle('BTC').last.twap_60s?.atMs, { timeout: 60_000 })
      .toBeGreaterThan(backMs)
    expect(open.market.oracle('BTC').last.twap_60s?.source).toBe('polybolt')
    if (!hasEvm) return context.skip(lackOf('anvil'))
    expect(await pay(world, dataDir, 'evm')).toMatchObject(SOLD)
    expect(await isAccepted(world)).toBe(true)
  })
})

describe('a sandbox', () => {
  async function started(dataDir: string, env: Record<string, string> = {}) {
    const running = startCommand('sandbox', dataDir, env)
    onTestFinished(async () => {
      await running.stop('SIGKILL')
      await endChainOf(dataDir)
      rmSync(dataDir, { recursive: true, force: true })
    })
    expect(await running.ready, running.said.stderr).toBeDefined()
    return running
  }
  const PAPER = { TOLLBOOK_MODE: 'paper' }

  test('runs only the money in paper mode, ends with nothing left behind, and its keys are no lost ledger', async () => {
    const dataDir = freshDir()
    const running = await started(dataDir, PAPER)
    expect(findWorldFile(dataDir)?.venues).toBeUndefined()
    const world = await join(dataDir, PAPER)
    expect(world.upstreams.BINANCE).toBe('https://data-api.binance.vision')
    expect([world.prediction, world.findExchange, world.oracleKeys]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(await pay(world, dataDir, 'svm')).toMatchObject(SOLD)
    expect(await running.stop('SIGINT')).toBe(0)
    expect(existsSync(worldPath(dataDir))).toBe(false)
    expect(existsSync(joinPath(dataDir, 'anvil.pid'))).toBe(false)
    await expect(join(dataDir, PAPER)).rejects.toThrow(
      /no sandbox runs on .*sandbox-world\.json is missing: start \.\/tollbook sandbox/,
    )
    const config = readConfig({ TOLLBOOK_DATA_DIR: dataDir, ...PAPER })
    expect(() => admitLedger(config, ledgerPath(dataDir))).not.toThrow()
  })

  test('goes elsewhere where its ports were taken, says so, and stays there', async () => {
    const dataDir = freshDir()
    const first = await started(dataDir, PAPER)
    const urlsOf = () => {
      const facts = findWorldFile(dataDir)
      return { world: facts?.world_url, facilitator: facts?.money?.facilitator_url, rpc: facts?.money?.rpc }
    }
    const before = urlsOf()
    expect(await first.stop('SIGTERM')).toBe(0)
    const others = await Promise.all([before.world, before.rpc?.svm[0], before.rpc?.evm[0]].map(occupy))
    const second = await started(dataDir, PAPER)
    const moved = urlsOf()
    expect(moved.facilitator).toBe(before.facilitator)
    expect(moved.world).not.toBe(before.world)
    expect(moved.rpc?.svm).not.toEqual(before.rpc?.svm)
    expect(await pay(await join(dataDir, PAPER), dataDir, 'svm')).toMatchObject(SOLD)
    expect(await second.stop('SIGTERM')).toBe(0)
    expect(second.said.stderr).toContain('start the processes that use it again')
    for (const other of others) other?.close()
    await started(dataDir, PAPER)
    expect(urlsOf()).toEqual(moved)
  })
})

async function occupy(url: string | undefined): Promise<Server | undefined> {
  if (url === undefined) return undefined
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(Number(new URL(url).port), '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return server
}
