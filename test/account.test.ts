import { execFile } from 'node:child_process'
import type { Address, Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startCommands } from '../src/testing/cli/start-commands.ts'
import { liveEnvironment } from '../src/testing/config/live-environment.ts'
import { temporaryDir } from '../src/testing/ledger/temporary-dir.ts'
import { POLYMARKET_CONTRACTS } from '../src/upstreams/polymarket/relayer/addresses.ts'
import { depositWalletOf } from '../src/upstreams/polymarket/relayer/deposit-wallet.ts'
import { type DoctorWorld, noAnvil, openDoctorWorld } from './doctor/doctor-world.ts'
import { state } from './doctor/examined.ts'

const main = new URL('../src/cli/main.ts', import.meta.url).pathname
const USD = 1_000_000n

/** The command in a process of its own, without a terminal. */
function account(env: Record<string, string>, ...args: string[]) {
  return new Promise<{ code: number; text: string }>((resolve) => {
    const options = { env: { PATH: process.env.PATH, TOLLBOOK_DATA_DIR: temporaryDir(), ...env } }
    const child = execFile(process.execPath, [main, 'account', ...args], options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, text: stdout + stderr }),
    )
  })
}

const commands = startCommands()
afterAll(() => commands.close())
/** For what ends before anybody is asked: one such command after the other in one process. */
async function told(env: Record<string, string>, args: readonly string[]) {
  const { status, stdout, stderr } = await commands.run({
    args: ['account', ...args],
    env: { PATH: process.env.PATH, TOLLBOOK_DATA_DIR: temporaryDir(), ...env },
    cwd: temporaryDir(),
  })
  return { code: status, text: stdout + stderr }
}

/** Somebody who has never been at Polymarket. */
function newcomer(world: DoctorWorld) {
  const key: Hex = generatePrivateKey()
  const owner = privateKeyToAccount(key).address
  const wallet: Address = depositWalletOf(owner)
  return { key, owner, wallet, env: { ...world.live, TOLLBOOK_POLY_OWNER_KEY: key } }
}

describe.skipIf(noAnvil)('in live mode', () => {
  let world: DoctorWorld
  beforeAll(async () => {
    world = await openDoctorWorld()
  }, 60_000)
  afterAll(() => world.close())

  test('an account is shown, opened, funded and opened again', async () => {
    const { key, owner, wallet, env } = newcomer(world)
    const { custody } = world.trading
    // Twice: showing it makes neither wallet nor key.
    for (let times = 0; times < 2; times++) {
      const { code, text } = await account(env)
      expect(code).toBe(0)
      expect(text).toMatch(
        new RegExp(`^owner +${owner}\ndeposit wallet +${wallet}\ndeployed +no: .*account open`),
      )
      expect(text).toMatch(/^cash +not known: Polymarket has no API key for the owner yet/m)
      expect(text).toMatch(/^positions +none are open$/m)
    }
    const unasked = await account(env, 'open')
    expect(unasked).toMatchObject({
      code: 1,
      text: expect.stringContaining('nothing was changed: pass --yes'),
    })
    expect(unasked.text).toContain(`its deposit wallet ${wallet} is made`)
    expect(await custody.isDeployed(wallet)).toBe(false)

    const opened = await account(env, 'open', '--yes')
    expect(opened.code).toBe(0)
    const hash = 'in transaction 0x[0-9a-f]{64}'
    expect(opened.text).toMatch(new RegExp(`^wallet +the deposit wallet ${wallet} is made, ${hash}$`, 'm'))
    expect(opened.text).toMatch(new RegExp(`^approvals +the exchange and the adapter .*, ${hash}$`, 'm'))
    expect(opened.text).toMatch(/^api-key +Polymarket has an API key for the owner/m)
    expect(opened.text).toMatch(new RegExp(`^cash +0 pUSD: send pUSD on Polygon to ${wallet}$`, 'm'))
    expect(opened.text).toMatch(/^allowance +the exchange may use all cash$/m)
    expect(await custody.isDeployed(wallet)).toBe(true)
    expect(await custody.mayMoveShares(wallet)).toBe(true)
    const allowances = await custody.allowancesOf(wallet)
    expect(allowances[POLYMARKET_CONTRACTS.exchange]).toBe(2n ** 256n - 1n)

    await custody.mint(wallet, 5n * USD)
    for (const check of ['relayer', 'trading-account'])
      expect(await state(env, check)).toMatchObject({ state: 'ok' })
    const again = await account(env, 'open', '--yes')
    expect(again).toMatchObject({ code: 0, text: expect.stringContaining('is there already') })
    expect(again.text).toMatch(/^cash +5 pUSD$/m)
    for (const { text } of [unasked, opened, again]) {
      expect(text).not.toContain(key.slice(2))
      expect(text).not.toContain(world.live.TOLLBOOK_POLY_RELAYER_KEY)
    }
  }, 120_000)

  test('where it may not trade nothing is sent, and what fails is said and can be repeated', async () => {
    const { wallet, env } = newcomer(world)
    const { custody } = world.trading
    world.internet.setPlace({ blocked: true, country: 'US', region: 'NY' })
    const blocked = await account(env, 'open', '--yes')
    world.internet.setPlace({ blocked: false, country: 'XX', region: '' })
    expect(blocked.code).toBe(1)
    expect(blocked.text).toMatch(/^place +FAILED: Polymarket takes no orders from US/m)
    expect(blocked.text).not.toMatch(/^wallet /m)

    const wrong = await account({ ...env, TOLLBOOK_POLY_RELAYER_KEY: 'x'.repeat(36) }, 'open', '--yes')
    expect(wrong.code).toBe(1)
    expect(wrong.text).toMatch(/^wallet +FAILED: 401: .*nothing moved.*open again$/m)
    expect(wrong.text).not.toMatch(/xxxx|^approvals /m)
    expect(await custody.isDeployed(wallet)).toBe(false)

    // A first try that ended after the wallet was made.
    await custody.deploy(privateKeyToAccount(env.TOLLBOOK_POLY_OWNER_KEY).address)
    const opened = await account(env, 'open', '--yes')
    expect(opened).toMatchObject({ code: 0, text: expect.stringMatching(/is there already[\s\S]*all cash/) })
  }, 120_000)

  test('a venue that does not answer is not known, line by line', async () => {
    for (const provider of ['relayer', 'poly_web', 'poly_data'])
      world.internet.outages.set(provider, 'rest', { kind: 'html' })
    const { code, text } = await account(newcomer(world).env)
    for (const provider of ['relayer', 'poly_web', 'poly_data']) world.internet.outages.set(provider, 'rest')
    expect(code).toBe(0)
    expect(text.match(/^(deployed|place|positions) +not known \(.+\): try again/gm)).toHaveLength(3)
  }, 60_000)
})

test.each([
  ['sandbox mode', {}, 0, /the service makes its own account at the simulated venue/],
  ['paper mode', { TOLLBOOK_MODE: 'paper' }, 1, /TOLLBOOK_MODE=live/],
  ['live mode without an account', liveEnvironment, 1, /set TOLLBOOK_POLY_OWNER_KEY/],
])('%s says why there is nothing to open', async (_, env, code, words) => {
  for (const args of [[], ['open', '--yes']])
    expect(await told(env, args)).toMatchObject({ code, text: expect.stringMatching(words) })
})

test.each([[['close']], [['open', 'now']], [['--yes']], [['--force']]])(
  '%j is no way to use it',
  async (args) => {
    expect(await told({}, args)).toMatchObject({
      code: 2,
      text: expect.stringContaining('usage: tollbook account'),
    })
  },
)
