import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp } from '../src/app/start.ts'
import { EXAMPLES_FOLDER } from '../src/catalog/endpoints/recorded-call.ts'
import { readConfig } from '../src/config/config.ts'
import { type Log, silentLog } from '../src/core/log.ts'
import { systemClock } from '../src/core/time/clock.ts'
import { EVM_USDC, SVM_USDC } from '../src/core/usdc.ts'
import { openSandboxKeys } from '../src/sandbox/keys.ts'
import { createBuyer } from '../src/testing/buyer.ts'
import { moneyOf } from '../src/testing/chain-money.ts'
import { temporaryDir } from '../src/testing/ledger/temporary-dir.ts'
import { openVenues, type Venues, venuesAway } from '../src/testing/venues.ts'
import { startWorld, type World } from '../src/testing/world.ts'

const PAPER = { TOLLBOOK_MODE: 'paper', TOLLBOOK_DEMO_CALLS_PER_DAY: '0' }
const command = promisify(execFile)
const ADDRESSES = /0x[0-9a-fA-F]{40}(?![0-9a-fA-F])|(?<![\w-])[1-9A-HJ-NP-Za-km-z]{43,44}(?![\w-])/g

/** Of the recorded replies: tokens and wallets of the sandbox, which nobody is told to pay. */
const EXAMPLES = readdirSync(EXAMPLES_FOLDER).map((name) =>
  readFileSync(new URL(name, EXAMPLES_FOLDER), 'utf8'),
)
const IN_EXAMPLES = new Set(
  EXAMPLES.flatMap((text) => text.match(ADDRESSES) ?? []).map((text) => text.toLowerCase()),
)

describe('paper mode', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'paper-'))
  let venues: Venues
  let world: World
  beforeAll(async () => {
    venues = await openVenues()
    world = await startWorld({ ...PAPER, TOLLBOOK_DATA_DIR: dataDir, ...venues.env })
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await venues.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test.each(['base', 'solana'] as const)('the command line buys signals on %s', async (network) => {
    const main = new URL('../src/cli/main.ts', import.meta.url).pathname
    const args = [main, 'buy', '/signals', '--network', network, '--url', world.url]
    const { stdout } = await command(process.execPath, args)
    expect(stdout).toMatch(/^settled +transaction /m)
    expect(stdout).toContain('"signals": {')
  })

  test.each(['base', 'solana'] as const)('a stock client pays on %s with play money', async (network) => {
    const buyer = await createBuyer(world, network)
    const before = await moneyOf(buyer)
    const reply = await buyer.fetch(`${world.url}/price/BTC`)
    expect([reply.status, reply.headers.get('x-tollbook-mode')]).toEqual([200, 'paper'])
    const { source } = (await reply.json()) as { source: string }
    expect(source).not.toMatch(/^sandbox/)
    expect(await moneyOf(buyer)).toBe(before - 1_000n)
  })

  test('every document that tells a price says that the money is play money', async () => {
    const documents = world.app.site.catalog.endpoints.filter(({ kind }) => kind === 'document')
    const told: string[] = []
    for (const { path } of documents) {
      const text = await (await world.get(path)).text()
      if (!/usdc/i.test(text)) continue
      expect([path, /play money/i.test(text)]).toEqual([path, true])
      told.push(path)
    }
    for (const path of ['/', '/openapi.json', '/pricing', '/llms.txt', '/.well-known/agent-card.json'])
      expect(told).toContain(path)
    expect(await (await world.get('/price/BTC')).text()).toMatch(/play money/i)
  })

  test('no address is shown but those of throw-away keys, of the token and of examples', async () => {
    const own = openSandboxKeys(dataDir)
    const accepts = world.app.site.payment.accepts('1')
    const feePayer = String(accepts[1]?.extra.feePayer)
    const paths = ['/price/BTC', '/x402/status', '/', '/llms-full.txt', '/pricing', '/.well-known/x402']
    const shown = new Set<string>()
    for (const path of paths)
      for (const [address] of (await (await world.get(path)).text()).matchAll(ADDRESSES)) shown.add(address)
    const known = [own.evm, own.svm.address, feePayer, EVM_USDC, SVM_USDC]
    expect(known.filter((address) => !shown.has(address))).toEqual([])
    const isMadeUp = (address: string) =>
      /^0x(?:0{38}|(..)\1{19}$)/.test(address) || IN_EXAMPLES.has(address.toLowerCase())
    expect([...shown].filter((address) => !known.includes(address) && !isMadeUp(address))).toEqual([])
  })
})

test('with the venues away it starts, says so, answers 503 and charges nothing', async () => {
  const warnings: string[] = []
  const log: Log = { ...silentLog, warn: (_facts, text) => warnings.push(text) }
  const env = { ...PAPER, PORT: '0', TOLLBOOK_DATA_DIR: temporaryDir(), ...venuesAway }
  const app = await startApp({ config: readConfig(env), log, clock: systemClock })
  try {
    const url = app.site.baseUrl
    expect(warnings).toContain('no prices yet: what needs them answers 503 and is not charged')
    const buyer = await createBuyer({ url } as World)
    const before = await moneyOf(buyer)
    const reply = await buyer.fetch(`${url}/price/BTC`)
    expect([reply.status, reply.headers.has('retry-after')]).toEqual([503, true])
    expect(buyer.sent).toHaveLength(1)
    expect(await moneyOf(buyer)).toBe(before)
    const health = await fetch(`${url}/health`)
    expect([health.status, await health.json()]).toMatchObject([503, { status: 'down', mode: 'paper' }])
  } finally {
    await app.stop()
  }
})
