import assert from 'node:assert'
import { randomUUID } from 'node:crypto'
import { mapUpstreams, type ProviderName, type Upstreams } from '../config/providers.ts'
import type { Clock } from '../core/time/clock.ts'
import { findFreePort } from './free-port.ts'
import { type LoopbackReply, startLoopbackServer } from './loopback-server.ts'
import type { SimulatedMarket } from './market/simulated-market.ts'
import type { PredictionVenue } from './prediction/venue.ts'
import { createBinance } from './providers/binance/binance.ts'
import { createCoinbase } from './providers/coinbase/coinbase.ts'
import { createIntelServers } from './providers/intel.ts'
import { type LlmScript, WELL } from './providers/llm/llm.ts'
import { createOutages, type Outages } from './providers/outages.ts'
import { createPeers, type Peers, type Tamper } from './providers/peers.ts'
import { createPolybolt } from './providers/polybolt/polybolt.ts'
import type { Credentials } from './providers/polybolt/socket.ts'
import {
  type AccountServers,
  createPolymarket,
  type PolymarketServers,
} from './providers/polymarket/polymarket.ts'
import type { Place } from './providers/polymarket/web/rest.ts'
import { NOBODY, type ProviderServer } from './providers/provider-server.ts'
import { createRequestLimits, type LimitUsage } from './providers/request-limits.ts'
import { createRouter } from './providers/router.ts'
import type { FindChainWallet } from './tokens/on-chain/chain-wallets.ts'
import type { TokenWorld } from './tokens/token-world.ts'

/** Every provider that the service calls, simulated on one loopback port. */
export type Internet = {
  urls: Upstreams
  /** What the oracle feed accepts; new at every start unless they were handed in. */
  credentials: Credentials
  /** Moves the market in steps and waits after each until every client has read it. */
  advanceTo(ms: number, stepMs?: number): Promise<void>
  /** Resolves once every connected client has read all that was sent so far. */
  drained(): Promise<void>
  /** Drops the WebSockets of one provider, or all. */
  disconnectAll(provider?: ProviderName): void
  /** Failures of single providers, for tests. */
  outages: Pick<Outages, 'set' | 'count'>
  /** The prediction markets behind Polymarket's addresses; throws where there are none. */
  readonly venue: PredictionVenue
  /** How near clients have come to each published limit since the start. */
  usage(): readonly LimitUsage[]
  /** Serves accounts from now on; until then trading is disabled. */
  serveAccounts(accounts: Partial<AccountServers>): void
  /** The explorer knows the wallets of the local chain from now on. */
  exploreChain(find: FindChainWallet): void
  /** What the language model does from now on; it writes well until then. */
  scriptModel(script: Partial<LlmScript>): void
  /** Where Polymarket takes its clients to be. */
  setPlace(place: Place): void
  /** While refusing, no provider can be connected to. */
  refuse(isRefusing: boolean): Promise<void>
  close(): Promise<void>
}

export type InternetInput = {
  market: SimulatedMarket
  clock: Clock
  /** Closed with the internet. Without it Polymarket's hosts know no address, and no time is spent on it. */
  venue?: PredictionVenue | undefined
  /** Base as it is simulated; without it those who tell of tokens and wallets know no address. */
  tokens?: TokenWorld | undefined
  tamper?: Tamper
  /** Moves the market with the clock. Without it, time passes through `advanceTo` only. */
  realTime?: boolean
  /** For several processes: taken where it is free, else another one. Without it the system chooses. */
  port?: number | undefined
  /** Of an earlier run; without them there are new ones. */
  credentials?: Credentials | undefined
}

const DRIVE_EVERY_MS = 100
/** After the machine was suspended the market catches up in pieces, so that requests are still served. */
const MAX_CATCH_UP_MS = 5_000
const MAX_BODY_BYTES = 1024 * 1024
const DEFAULT_STEP_MS = 10_000

export async function startInternet(input: InternetInput): Promise<Internet> {
  const { market, clock, venue, tokens, tamper, realTime, credentials = makeCredentials() } = input
  const outages = createOutages({ tamper, disconnect: (provider) => peers.disconnectAll(provider) })
  const peers: Peers = createPeers(outages.tamper)
  const accounts: Partial<AccountServers> = {}
  const chain: { find?: FindChainWallet } = {}
  const model = { ...WELL }
  const place: Place = { blocked: false, country: 'XX', region: '' }
  const servers: Record<ProviderName, ProviderServer> = {
    binance: createBinance(market),
    coinbase: createCoinbase(market),
    polybolt: createPolybolt(market, credentials),
    ...(venue
      ? createPolymarket({ market, venue, place: () => place, accounts: () => accounts })
      : NO_POLYMARKET),
    ...createIntelServers({ market, tokens, chain: () => chain.find, model: () => model }),
  }
  const limits = createRequestLimits(clock.now)
  const { answer, upgrade } = createRouter(servers, peers, outages, limits)
  const http = await startLoopbackServer({
    // A venue's replies carry the venue's time.
    answer: async (request) => withDate(await answer(request), market.nowMs()),
    upgrade,
    ...(input.port && { port: await findFreePort(input.port), isShared: true }),
    maxBodyBytes: MAX_BODY_BYTES,
  })
  const stops = [
    venue ? venue.close : () => {},
    ...Object.values(servers).map(({ close }) => close),
    ...Object.entries(servers).map(([name, { pingEveryMs }]) =>
      pingEveryMs === undefined ? () => {} : clock.every(pingEveryMs, () => peers.ping(name)),
    ),
    realTime ? drive(market, clock) : () => {},
  ]
  return {
    urls: mapUpstreams(
      ({ url, provider, sandboxPath }) =>
        `${url?.startsWith('wss:') ? 'ws' : 'http'}://${http.host}/${provider}${sandboxPath}`,
    ),
    credentials,
    async advanceTo(ms, stepMs = DEFAULT_STEP_MS) {
      for (let atMs = market.nowMs(); atMs < ms; ) {
        atMs = Math.min(ms, atMs + stepMs)
        market.advanceTo(atMs)
        await peers.drained()
      }
    },
    drained: peers.drained,
    disconnectAll: peers.disconnectAll,
    outages,
    get venue() {
      assert(venue, 'this internet has no prediction markets')
      return venue
    },
    usage: limits.usage,
    serveAccounts: (given) => void Object.assign(accounts, given),
    exploreChain: (find) => void Object.assign(chain, { find }),
    scriptModel: (given) => void Object.assign(model, given),
    setPlace: (given) => void Object.assign(place, given),
    async refuse(isRefusing) {
      if (isRefusing) peers.disconnectAll()
      await http.refuse(isRefusing)
    },
    async close() {
      for (const stop of stops) stop()
      peers.disconnectAll()
      await http.close()
    },
  }
}

export const makeCredentials = (): Credentials => ({
  apiKey: randomUUID(),
  secret: randomUUID(),
  passphrase: randomUUID(),
})

const NO_POLYMARKET: PolymarketServers = {
  gamma: NOBODY,
  clob: NOBODY,
  poly_data: NOBODY,
  poly_web: NOBODY,
  relayer: NOBODY,
}

function withDate(reply: LoopbackReply | undefined, nowMs: number): LoopbackReply | undefined {
  return reply && { ...reply, headers: { date: new Date(nowMs).toUTCString(), ...reply.headers } }
}

function drive(market: SimulatedMarket, clock: Clock): () => void {
  return clock.every(DRIVE_EVERY_MS, () => {
    market.advanceTo(Math.min(clock.now(), market.nowMs() + MAX_CATCH_UP_MS))
  })
}
