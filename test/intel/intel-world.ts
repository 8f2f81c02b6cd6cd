import { setImmediate as nextTurn } from 'node:timers/promises'
import { type OpenIntel, openIntel } from '../../src/app/intel/intel.ts'
import { createServices } from '../../src/app/services.ts'
import { createCatalog } from '../../src/catalog/catalog.ts'
import type { Group } from '../../src/catalog/group.ts'
import type { Site } from '../../src/catalog/site.ts'
import type { Config } from '../../src/config/config.ts'
import { COINS, type Coin } from '../../src/core/coin.ts'
import { silentLog } from '../../src/core/log.ts'
import { createManualClock, type ManualClock } from '../../src/core/time/manual-clock.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/core/time/time.ts'
import { discoveryGroup } from '../../src/discovery/group.ts'
import type { Trade, Venue } from '../../src/feeds/events.ts'
import type { Candle } from '../../src/market/candles.ts'
import { createMarket, type Market } from '../../src/market/market.ts'
import { briefGroup } from '../../src/products/briefs/group.ts'
import { derivativesGroup } from '../../src/products/derivatives/group.ts'
import { diagnosisGroup } from '../../src/products/diagnosis/group.ts'
import { directoryGroup } from '../../src/products/directory/group.ts'
import { productGroups } from '../../src/products/groups.ts'
import { marketGroup } from '../../src/products/market/group.ts'
import { sentimentGroup } from '../../src/products/sentiment/group.ts'
import { tokenGroup } from '../../src/products/tokens/group.ts'
import { whaleGroup } from '../../src/products/whales/group.ts'
import { type Internet, startInternet } from '../../src/sandbox/internet.ts'
import { createSimulatedMarket, type SimulatedMarket } from '../../src/sandbox/market/simulated-market.ts'
import { createTokenWorld } from '../../src/sandbox/tokens/create-token-world.ts'
import type { TokenWorld } from '../../src/sandbox/tokens/token-world.ts'
import { findSandboxExchange } from '../../src/sandbox/tokens/wallets/exchange-wallets.ts'
import { testSite } from '../../src/testing/discovery/sample-site.ts'
import { type Answer, serveGroup } from '../../src/testing/http/serve-groups.ts'
import { predictionServices } from '../../src/testing/products/hand-made-prediction.ts'
import { signalAt, signalsOf } from '../../src/testing/products/hand-made-signals.ts'
import { type BaseNode, startBaseNode } from './base-node.ts'

const START_MS = Date.UTC(2026, 4, 6, 12, 3, 30)
const DEMO_CALLS = 1_000_000
/** Turns of the event loop without a reply after which nothing more is expected. */
const QUIET_TURNS = 40
const KEPT_MINUTES = 1_500
/** Long enough for a source that failed to be asked twice more. */
const SKIP_END_MS = 10_000
/** How far time moves at once while somebody waits. */
const WAIT_STEP_MS = 50

export type Asked = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: replies of many products.
  json: any
  /** By the world's clock. */
  waitedMs: number
}

/** All sources of intelligence on the simulated internet, the products made of them behind the real gate, and one clock. */
export type IntelWorld = {
  clock: ManualClock
  internet: Internet
  simulation: SimulatedMarket
  tokens: TokenWorld
  node: BaseNode
  intel: OpenIntel
  /** By the world's clock. */
  startTookMs: number
  group: Group<unknown>
  services: unknown
  /** Whether the venues' trades are heard. */
  hear(isHearing: boolean): void
  /** Throws where anything but a 200 was charged. */
  ask(target: string): Promise<Asked>
  /** Sent as it stands, by whom `X-Forwarded-For` names; the world's time does not pass meanwhile. */
  send(target: string, forwardedFor: string): Promise<Answer>
  /** Time passes until it is done. */
  until<T>(work: Promise<T>): Promise<T>
  /** Market and clock move together, in steps. */
  pass(ms: number, stepMs?: number): Promise<void>
  /** Most of the time passes at once, so that requests under way run out of it; then most sources are read anew. */
  skip(ms: number): Promise<void>
  settle(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

type Options = {
  seed?: string
  /** Providers that accept requests and never answer, from before the start. */
  hanging?: readonly string[]
}

export async function openIntelWorld({ seed = 'outages', hanging = [] }: Options = {}): Promise<IntelWorld> {
  const simulation = createSimulatedMarket({
    ...{ seed, startMs: START_MS },
    cadence: { bookEveryMs: 10_000, tradesPerSecond: 0.05 },
  })
  const clock = createManualClock(START_MS)
  const tokens = createTokenWorld({ seed, market: simulation })
  const internet = await startInternet({ market: simulation, clock, tokens })
  const node = await startBaseNode(tokens, clock.now)
  const fetches = countFetches()
  const listeners = new Set<(trade: Trade) => void>()
  const market = toMarket(simulation, clock)
  const open = {
    market,
    signals: signalsOf((coin) => signalAt(coin, clock.now())),
    onTrade(listener: (trade: Trade) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const prediction = predictionServices(clock)
  const config = { mode: 'sandbox', keys: {}, writer: { model: 'm', callsPerDay: 1_000_000 } } as Config
  const intel = openIntel({
    config,
    world: {
      upstreams: internet.urls,
      money: { rpc: { evm: [node.url], svm: [] } } as never,
      findExchange: findSandboxExchange(),
    },
    open: open as never,
    venue: { fiveMinute: prediction.fiveMinute } as never,
    counters: { load: async () => new Map(), save: async () => {} } as never,
    clock,
    log: silentLog,
  })
  const site = testSite({
    catalog: createCatalog<Site>([...(productGroups as readonly Group<never>[]), discoveryGroup]),
  })
  const made = createServices({
    ...{ config, clock, site, intel, open: open as never, venue: { services: prediction } },
    ...{
      record: NO_RECORD as never,
      health: {} as never,
      uptime: {} as never,
      live: {} as never,
      money: { wallets: undefined },
      results: undefined,
      community: {} as never,
    },
  })
  const {
    market: ofMarket,
    tokens: ofTokens,
    diagnosis,
    sentiment,
    derivatives,
    whales,
    directory,
    briefs,
  } = made
  const services = {
    ...{ ...ofMarket, ...ofTokens, ...diagnosis, ...sentiment, ...derivatives, ...whales, ...directory },
    ...{ ...briefs, tokens: ofMarket.tokens },
  }
  const served = await serveGroup<unknown>(INTEL_GROUP, services, { clock, demoCalls: DEMO_CALLS })

  let isHearing = true
  let lastTrade = 0
  const trade = () => {
    if (!isHearing) return
    for (const coin of COINS) {
      const price = market.price(coin)?.price ?? 1
      const heard = {
        venue: 'binance',
        coin,
        id: ++lastTrade,
        price,
        size: 1,
        side: 'buy',
        fills: 1,
      } as const
      for (const listener of listeners) listener({ ...heard, atMs: clock.now() })
    }
  }
  const settle = async () => {
    await internet.drained()
    let [before, quiet] = [fetches.ended(), 0]
    // Bodies are read for some turns after their heads.
    for (; quiet < (fetches.underWay() === 0 ? QUIET_TURNS / 2 : QUIET_TURNS); quiet++) {
      await nextTurn()
      if (fetches.ended() !== before) [before, quiet] = [fetches.ended(), 0]
    }
  }
  const until = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false
    const done = work.finally(() => {
      isDone = true
    })
    done.catch(() => {})
    for (;;) {
      await settle()
      if (isDone) return done
      clock.advance(WAIT_STEP_MS)
    }
  }
  let left = DEMO_CALLS
  const ask = async (target: string): Promise<Asked> => {
    const startedMs = clock.now()
    const { status, headers, body } = await until(served.ask('GET', target))
    const text = Buffer.from(body, 'latin1').toString('utf8')
    const remaining = headers['x-demo-calls-remaining']
    if (status === 200) {
      // One call for each 200 and none for anything else, since the last 200.
      if (Number(remaining) !== left - 1) throw new Error(`${left - Number(remaining)} calls were charged`)
      left--
    }
    return { status, json: JSON.parse(text), waitedMs: clock.now() - startedMs }
  }
  const pass = async (ms: number, stepMs = 1_000) => {
    for (const untilMs = clock.now() + ms; clock.now() < untilMs; ) {
      const atMs = Math.min(untilMs, clock.now() + stepMs)
      simulation.advanceTo(simulation.nowMs() + atMs - clock.now())
      clock.advanceTo(atMs)
      trade()
      await settle()
    }
  }
  for (const provider of hanging) internet.outages.set(provider, 'rest', { kind: 'hang' })
  trade()
  const beganMs = clock.now()
  await until(intel.start())
  const startTookMs = clock.now() - beganMs
  return {
    ...{ clock, internet, simulation, tokens, node, intel, startTookMs, group: INTEL_GROUP, services },
    ...{ ask, until, pass, settle },
    send: (target, forwardedFor) => served.ask('GET', target, { 'x-forwarded-for': forwardedFor }),
    hear(isOn) {
      isHearing = isOn
    },
    async skip(ms) {
      // The market of days would take long to make, and is asked for by nobody.
      if (ms < HOUR_MS) simulation.advanceTo(simulation.nowMs() + ms - SKIP_END_MS)
      clock.advance(ms - SKIP_END_MS)
      await pass(SKIP_END_MS)
    },
    async [Symbol.asyncDispose]() {
      intel.stop()
      fetches.restore()
      await served.close()
      await node.close()
      await internet.close()
    },
  }
}

const INTEL_GROUP: Group<unknown> = {
  tag: 'intelligence',
  about: 'What is known beyond signals.',
  endpoints: [
    marketGroup,
    tokenGroup,
    diagnosisGroup,
    sentimentGroup,
    derivativesGroup,
    whaleGroup,
    directoryGroup,
    briefGroup,
  ].flatMap(({ endpoints }) => endpoints as unknown as Group<unknown>['endpoints']),
}

const NO_RECORD = { entryFor: () => undefined, whyNoEntry: () => 'made up' }

/** The four coins as the simulation prices them; neither books nor trades. */
function toMarket(simulation: SimulatedMarket, clock: ManualClock): Market {
  const minutes = new Map<string, Candle[]>()
  /** Up to the open minute; each is made once. */
  const untilNow = (venue: Venue, coin: Coin): Candle[] => {
    const key = `${venue} ${coin}`
    const made = minutes.get(key) ?? []
    minutes.set(key, made)
    const newestMs = Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS
    const fromMs = made.at(-1)?.openMs ?? newestMs - KEPT_MINUTES * MINUTE_MS
    for (let openMs = fromMs + MINUTE_MS; openMs <= newestMs; openMs += MINUTE_MS)
      made.push(candleAt(Math.exp(simulation.latent.logPrice(venue, coin, openMs)), openMs))
    made.splice(0, made.length - KEPT_MINUTES)
    return made
  }
  return {
    ...createMarket({ clock }),
    price: (coin) => ({
      price: simulation.perpetual.at(coin, clock.now()).indexPrice,
      ...{ asOfMs: clock.now(), source: 'coinbase_mid', venues: ['coinbase'], version: clock.now() },
    }),
    candles: (venue, coin, count) => untilNow(venue, coin).slice(-count),
  }
}

const candleAt = (close: number, openMs: number): Candle => ({
  ...{ openMs, open: close, high: close, low: close, close, volume: 1, takerBuyVolume: 1, trades: 1 },
  ...{ complete: true, isFinal: true, isLost: false },
})

/** What goes out of this process over `fetch`. */
function countFetches() {
  const real = globalThis.fetch
  let [sent, ended] = [0, 0]
  globalThis.fetch = async (...given) => {
    sent++
    try {
      return await real(...given)
    } finally {
      ended++
    }
  }
  return {
    underWay: () => sent - ended,
    ended: () => ended,
    restore() {
      globalThis.fetch = real
    },
  }
}
