import { setImmediate as nextTurn } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createPayouts } from '../../src/bot/brokers/payouts.ts'
import { createPolymarketBroker } from '../../src/bot/brokers/polymarket/polymarket-broker.ts'
import type { ProviderName } from '../../src/config/providers.ts'
import { silentLog } from '../../src/core/log.ts'
import { secret } from '../../src/core/secret.ts'
import type { Clock } from '../../src/core/time/clock.ts'
import type { Custody } from '../../src/sandbox/prediction/custody.ts'
import { WINNER_LAG_MS } from '../../src/sandbox/providers/polymarket/clob/market.ts'
import { createRelayer } from '../../src/sandbox/providers/polymarket/relayer/relayer.ts'
import {
  makeRelayerKeys,
  type RelayerKeys,
} from '../../src/sandbox/providers/polymarket/relayer/relayer-keys.ts'
import type { ProviderServer } from '../../src/sandbox/providers/provider-server.ts'
import { brokerContract } from '../../src/testing/bot/broker-contract.ts'
import { type BrokerWorld, createOrders, FIRST_CASH_E6 } from '../../src/testing/bot/broker-world.ts'
import { lackOf } from '../../src/testing/missing.ts'
import { type LocalCustody, openLocalCustody } from '../../src/testing/sandbox/local-custody.ts'
import { createClob } from '../../src/upstreams/polymarket/clob/client.ts'
import { createPolyData } from '../../src/upstreams/polymarket/data/client.ts'
import { createRelayerClient } from '../../src/upstreams/polymarket/relayer/client.ts'
import { approvalCalls } from '../../src/upstreams/polymarket/relayer/wallet-calls.ts'
import { createTrading } from '../../src/upstreams/polymarket/trading/create-trading.ts'
import { createPolyWeb } from '../../src/upstreams/polymarket/web/client.ts'
import { createUpstream } from '../../src/upstreams/rules/create-upstream.ts'
import { createHostGates } from '../../src/upstreams/rules/host-gate.ts'
import { openTradingWorld, type TradingWorld } from '../prediction/trading-world.ts'

/** Waits of clients are shorter, limits of single requests longer. */
const SHORTEST_LIMIT_MS = 5_000
const WINDOW_MS = 300_000
/** A test needs less. */
const TIME_NEEDED_MS = 180_000
/** Makers have come by then. */
const SETTLED_AFTER_MS = 20_000
const MAX_RESOLVING_MS = 1_500_000

let local: LocalCustody | undefined
let world: TradingWorld | undefined
/** What the relayer was asked for last. */
let carriedOut: Promise<unknown> = Promise.resolve()

beforeAll(async () => {
  local = await openLocalCustody()
  if (local) world = await openTradingWorld(local, { seed: 'brokers' })
})
afterAll(async () => {
  await world?.close()
  await local?.close()
})
beforeEach((context) => {
  if (!local) context.skip(lackOf('anvil'))
})

const here = () => ({ local: local as LocalCustody, world: world as TradingWorld })
const openHere = () => openAccount(here().local, here().world)

describe('polymarket', () => brokerContract(openHere))

test('what stands in the way of trading is named, and what is not known too', async () => {
  const { internet, venue, custody } = here().world
  const { broker, market, ...account } = await openHere()
  const codes = async () => (await broker.obstacles()).map(({ code }) => code)
  internet.setPlace({ blocked: true, country: 'US', region: 'NY' })
  expect(await codes()).toEqual(['geoblocked'])
  internet.setPlace({ blocked: false, country: 'XX', region: '' })
  for (const [provider, code] of [
    ['poly_web', 'geoblock_unknown'],
    ['relayer', 'wallet_unknown'],
    ['clob', 'balance_unknown'],
  ] as const) {
    internet.outages.set(provider, 'rest', { kind: 'html' })
    expect(await codes()).toEqual([code])
    internet.outages.set(provider, 'rest')
  }
  venue.setMode('disabled')
  const order = createOrders({ ...account, broker, market }).buy(5_000_000n)
  expect(await broker.place(order)).toMatchObject({ state: 'refused', reason: 'trading is disabled' })
  venue.setMode('on')
  const pauses = async () => (await broker.pauses()).map(({ code }) => code)
  expect(await pauses()).toEqual(['trading_disabled'])
  await account.pass(60_000)
  expect([await pauses(), await codes()]).toEqual([[], []])
  const stranger = generatePrivateKey()
  const poor = createBrokers(here().world, stranger)()
  expect((await poor.obstacles()).map(({ code }) => code)).toEqual(['no_wallet', 'no_cash', 'no_allowance'])
  const { address } = privateKeyToAccount(stranger)
  await custody.deploy(address)
  await custody.mint(custody.walletOf(address), 1_000_000n)
  expect((await poor.obstacles()).map(({ code }) => code)).toEqual(['no_allowance'])
})

test('a venue that cannot be asked is a failure that says so', async () => {
  const { internet } = here().world
  const { broker, ...account } = await openHere()
  const order = createOrders({ ...account, broker }).buy(5_000_000n)
  internet.outages.set('clob', 'rest', { kind: 'error' })
  const unavailable = { name: 'ServiceError', code: 'upstream_unavailable' }
  await expect(broker.cashE6()).rejects.toMatchObject(unavailable)
  await expect(broker.holding(order.tokenId)).rejects.toMatchObject(unavailable)
  await expect(broker.holdings()).rejects.toMatchObject(unavailable)
  await expect(broker.find(order)).rejects.toMatchObject(unavailable)
  // Nothing is sent before there is a session.
  await expect(broker.place(order)).rejects.toMatchObject(unavailable)
  expect(await broker.clockSkewMs()).toBeUndefined()
  internet.outages.set('clob', 'rest')
  expect(account.ordersTaken()).toBe(0)
})

/** Waits are over at once, limits are never reached. */
const patientClock = (nowMs: () => number): Clock => ({
  now: nowMs,
  after(ms, task) {
    if (ms >= SHORTEST_LIMIT_MS) return () => {}
    const soon = setImmediate(task)
    return () => clearImmediate(soon)
  },
  every: () => () => {},
})

async function openAccount(local: LocalCustody, world: TradingWorld): Promise<BrokerWorld> {
  const { market, internet, custody, venue } = world
  const leftMs = WINDOW_MS - (market.nowMs() % WINDOW_MS)
  if (leftMs < TIME_NEEDED_MS) await world.pass(leftMs + SETTLED_AFTER_MS)
  const ownerKey = generatePrivateKey()
  const owner = privateKeyToAccount(ownerKey)
  const wallet = custody.walletOf(owner.address)
  await custody.deploy(owner.address)
  await custody.mint(wallet, FIRST_CASH_E6)
  await local.execute(owner, approvalCalls())
  const create = createBrokers(world, ownerKey)
  const broker = create()
  await world.pass(1_000)
  const { conditionId, tokenIds, tickE4, series } = world.openWindow()
  const [up, down] = tokenIds
  return {
    broker,
    restarted: create,
    nowMs: market.nowMs,
    market: () => ({
      windowStartS: series?.windowStartS ?? 0,
      conditionId,
      tokens: { up, down },
      tickE4,
    }),
    facing(tokenId, side) {
      const book = venue.book(tokenId)
      const levels = (side === 'BUY' ? book?.asks : book?.bids) ?? []
      return levels.map(([priceE4, sharesE6]) => ({ priceE4, sharesE6: BigInt(sharesE6) }))
    },
    async counted(tokenId) {
      const [sharesE6 = 0n] = await custody.sharesOf(wallet, [BigInt(tokenId)])
      return { cashE6: await custody.collateralOf(wallet), sharesE6 }
    },
    ordersTaken: () => venue.orders(wallet).length,
    async during(work, what) {
      let isDone = what !== 'redeeming'
      const done = work.finally(() => {
        isDone = true
      })
      // A transaction takes its blocks; no time passes while the chain carries one out.
      for (; !isDone; await nextTurn()) {
        await carriedOut
        await world.pass(1_000)
      }
      return done
    },
    pass: world.pass,
    lose(what) {
      const kinds = { answers: 'error', orders: 'reset' } as const
      internet.outages.set('clob', 'rest', what && { kind: kinds[what], path: '/order' })
    },
    async resolve() {
      const isResolved = () => venue.findByCondition(conditionId)?.winner !== undefined
      for (let ms = 0; !isResolved() && ms < MAX_RESOLVING_MS; ms += 30_000) await world.pass(30_000)
      await world.pass(WINNER_LAG_MS)
      return tokenIds[venue.findByCondition(conditionId)?.winner ?? 0]
    },
  }
}

/** As the client's waits are over at once, its looks wait instead: for the chain, however slow, and for the next block. */
function createPatientRelayer(nowMs: () => number, custody: Custody, keys: RelayerKeys): ProviderServer {
  const observed: Custody = {
    ...custody,
    execute(batch) {
      const hash = custody.execute(batch)
      carriedOut = hash.catch(() => {})
      return hash
    },
  }
  const relayer = createRelayer({ custody: () => observed, nowMs, keys })
  return {
    ...relayer,
    async rest(request) {
      if (request.path === '/transaction') {
        await carriedOut
        for (const fromMs = nowMs(); nowMs() === fromMs; ) await nextTurn()
      }
      return relayer.rest(request)
    },
  }
}

function createBrokers({ market, internet, custody }: TradingWorld, ownerKey: `0x${string}`) {
  const { urls } = internet
  const clock = patientClock(market.nowMs)
  const owner = privateKeyToAccount(ownerKey)
  const keys = makeRelayerKeys(owner.address)
  internet.serveAccounts({ relayer: createPatientRelayer(market.nowMs, custody, keys) })
  const gates = createHostGates({ clock, random: () => 0 })
  const open = (provider: ProviderName, baseUrl: string) => {
    const host = createUpstream({ provider, baseUrl, clock, random: () => 0, gate: gates.of(baseUrl) })
    onTestFinished(() => host.close())
    return host
  }
  const wallet = custody.walletOf(owner.address)
  const markets = { onResolved: () => () => {} }
  const data = createPolyData(open('poly_data', urls.POLY_DATA))
  const { payoutOf } = createPayouts({ markets, data, clob: createClob(open('clob', urls.CLOB)) })
  return () => {
    const broker = createPolymarketBroker({
      ...{ clock, log: silentLog, wallet, payoutOf, data },
      trading: createTrading({
        clobUrl: urls.CLOB,
        ownerKey: secret(ownerKey),
        depositWallet: wallet,
        clock,
      }),
      relayer: createRelayerClient({
        ...{ upstream: open('relayer', urls.RELAYER), baseUrl: urls.RELAYER, owner, clock },
        key: { apiKey: secret(keys.api.key), address: keys.api.address },
      }),
      web: createPolyWeb(open('poly_web', urls.POLY_WEB)),
    })
    onTestFinished(() => broker.close())
    return broker
  }
}
