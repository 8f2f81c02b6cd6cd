import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { secret } from '../../src/core/secret.ts'
import type { Clock } from '../../src/core/time/clock.ts'
import { type LoopbackRequest, startLoopbackServer } from '../../src/sandbox/loopback-server.ts'
import type { Custody } from '../../src/sandbox/prediction/custody.ts'
import { createRelayer } from '../../src/sandbox/providers/polymarket/relayer/relayer.ts'
import { makeRelayerKeys } from '../../src/sandbox/providers/polymarket/relayer/relayer-keys.ts'
import { lackOf } from '../../src/testing/missing.ts'
import { type LocalCustody, marketNamed, openLocalCustody } from '../../src/testing/sandbox/local-custody.ts'
import { createRelayerClient } from '../../src/upstreams/polymarket/relayer/client.ts'
import { splitCall } from '../../src/upstreams/polymarket/relayer/wallet-calls.ts'
import { createUpstream } from '../../src/upstreams/rules/create-upstream.ts'
import { createHostGates } from '../../src/upstreams/rules/host-gate.ts'

const USD = 1_000_000n
const LOOK_EVERY_MS = 2_000
let local: LocalCustody | undefined
const here = (): LocalCustody => local as LocalCustody

beforeAll(async () => {
  local = await openLocalCustody()
})
afterAll(() => local?.close())
beforeEach((context) => {
  if (!local) context.skip(lackOf('anvil'))
})

/** Waits pass at once and move the time of the venue; limits of single requests are never reached. */
function createHurriedClock(aheadMs = 0): Clock {
  const { clock } = here()
  return {
    ...clock,
    now: () => clock.now() + aheadMs,
    after(ms, task) {
      if (ms > LOOK_EVERY_MS) return clock.after(ms, task)
      const soon = setImmediate(() => {
        clock.advance(ms)
        task()
      })
      return () => clearImmediate(soon)
    },
  }
}

/** The hurried clock must not run ahead of the chain. */
function trackWork(custody: Custody) {
  let work: Promise<unknown> = Promise.resolve()
  const track = <T>(promise: Promise<T>) => {
    work = Promise.allSettled([work, promise])
    return promise
  }
  const { execute, deploy } = custody
  const tracked: Custody = {
    ...custody,
    execute: (batch) => track(execute(batch)),
    deploy: (owner) => track(deploy(owner)),
  }
  return { custody: tracked, idle: () => work }
}

/** `held`: it arrives just before its deadline. `closed`: 499 after it was taken. */
type Loss = 'request' | 'reply' | 'page' | 'held' | 'closed'
type Conditions = { aheadMs?: number; hasTime?: boolean }

/** Our client for a new owner, and a relayer that can be told to lose the next submission. */
async function startClient({ aheadMs = 0, hasTime = true }: Conditions = {}) {
  const owner = privateKeyToAccount(generatePrivateKey())
  const keys = makeRelayerKeys(owner.address)
  const { custody, idle } = trackWork(here().custody)
  const clock = createHurriedClock(aheadMs)
  const { now: venueNow } = here().clock
  const relayer = createRelayer({ custody: () => custody, nowMs: venueNow, keys })
  const faults: { next: Loss | undefined; submissions: number } = { next: undefined, submissions: 0 }
  let held: LoopbackRequest | undefined
  const isDue = ({ body }: LoopbackRequest) =>
    venueNow() >= (JSON.parse(body.toString()).depositWalletParams.deadline - 10) * 1000
  const submit = async (request: LoopbackRequest) => {
    faults.submissions++
    const loss = faults.next
    faults.next = undefined
    if (loss === 'held') held = request
    if (loss === 'request' || loss === 'held') return undefined
    const reply = await relayer.rest(request)
    if (loss === 'reply') return undefined
    if (loss === 'closed') return { status: 499, body: '' }
    return loss === 'page' ? { status: 502, body: '<html>' } : reply
  }
  const server = await startLoopbackServer({
    async answer(request) {
      if (request.path === '/submit') return submit(request)
      await idle()
      if (held && isDue(held)) {
        await relayer.rest(held)
        held = undefined
      }
      const reply = await relayer.rest(request)
      const date = hasTime ? new Date(venueNow()).toUTCString() : ''
      return reply && { ...reply, headers: { ...reply.headers, date } }
    },
  })
  const gate = createHostGates({ clock, random: () => 0 }).of(server.url)
  const upstream = createUpstream({ provider: 'relayer', baseUrl: server.url, clock, random: () => 0, gate })
  const key = { apiKey: secret(keys.api.key), address: keys.api.address }
  const client = createRelayerClient({ upstream, baseUrl: server.url, key, owner, clock })
  return {
    client,
    faults,
    key,
    async [Symbol.asyncDispose]() {
      client.close()
      upstream.close()
      await server.close()
    },
  }
}

const confirmed = { outcome: 'confirmed', transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) }

test('a wallet is made, approved, and paid for its winning shares once', async () => {
  await using world = await startClient()
  const { client } = world
  const { custody } = here()
  const { conditionId, tokenIds } = marketNamed('our client')
  await custody.prepare(conditionId, tokenIds)
  expect(await client.isDeployed()).toBe(false)
  expect(await client.deploy()).toEqual(confirmed)
  expect(await client.isDeployed()).toBe(true)
  expect(await client.deploy()).toEqual({ outcome: 'refused', reason: '400: wallet already deployed' })
  await custody.mint(client.wallet, 10n * USD)
  // Together: they wait for each other, so that each has a nonce of its own.
  const both = await Promise.all([
    client.approveTrading(),
    client.execute([splitCall(conditionId, 4n * USD)]),
  ])
  expect(both).toEqual([confirmed, confirmed])
  expect(await client.redeem(conditionId)).toMatchObject({ outcome: 'failed' })
  await custody.resolve(conditionId, [0n, USD])
  expect(await client.redeem(conditionId)).toEqual(confirmed)
  expect(await custody.collateralOf(client.wallet)).toBe(10n * USD)
  expect(await custody.sharesOf(client.wallet, tokenIds)).toEqual([0n, 0n])
  expect(await client.redeem(conditionId)).toEqual(confirmed)
  expect(await custody.collateralOf(client.wallet)).toBe(10n * USD)
})

test('a submission without an answer is looked for and never sent again', async () => {
  await using world = await startClient()
  const { client, faults } = world
  const { custody } = here()
  const { conditionId, tokenIds } = marketNamed('lost submissions')
  await custody.prepare(conditionId, tokenIds)
  faults.next = 'reply'
  expect(await client.deploy()).toMatchObject({ outcome: 'confirmed' })
  await custody.mint(client.wallet, 10n * USD)
  await client.approveTrading()
  const split = [splitCall(conditionId, USD)]
  for (const loss of ['reply', 'page', 'closed'] as const) {
    faults.next = loss
    expect(await client.execute(split)).toEqual(confirmed)
  }
  expect(await custody.collateralOf(client.wallet)).toBe(7n * USD)
  faults.next = 'request'
  const lost = await client.execute(split)
  expect(lost).toMatchObject({ outcome: 'failed' })
  expect(JSON.stringify(lost)).not.toContain(world.key.apiKey.reveal())
  expect(await custody.collateralOf(client.wallet)).toBe(7n * USD)
  expect(faults.submissions).toBe(6)
  expect(await client.execute(split)).toEqual(confirmed)
})

test('a batch is void by the time of the relayer, not by ours', async () => {
  await using world = await startClient({ aheadMs: 55_000 })
  const { client, faults } = world
  await client.deploy()
  await client.approveTrading()
  faults.next = 'held'
  expect(await client.approveTrading()).toEqual(confirmed)
  faults.next = 'request'
  expect(await client.approveTrading()).toMatchObject({ outcome: 'failed' })
})

test('a relayer that does not tell its time leaves a lost batch unknown', async () => {
  await using world = await startClient({ hasTime: false })
  const { client, faults } = world
  await client.deploy()
  faults.next = 'request'
  expect(await client.approveTrading()).toMatchObject({ outcome: 'unknown' })
})

test('a relayer that cannot be asked before is not sent anything', async () => {
  await using world = await startClient()
  const { client, faults } = world
  await world[Symbol.asyncDispose]()
  expect(await client.approveTrading()).toMatchObject({ outcome: 'refused' })
  expect(faults.submissions).toBe(0)
})
