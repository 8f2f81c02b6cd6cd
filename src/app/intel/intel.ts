import type { Config } from '../../config/config.ts'
import type { Coin } from '../../core/coin.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import { waitUntil } from '../../core/time/wait-until.ts'
import { cascadePart } from '../../intel/derivatives/cascade-part.ts'
import type { CascadeRisk } from '../../intel/derivatives/cascade-risk.ts'
import type { Part } from '../../intel/part.ts'
import type { Writer } from '../../intel/writer/writer.ts'
import type { DemoCounters } from '../../ledger/ports/demo-counters.ts'
import type { GlobalMarket } from '../../upstreams/coingecko/wire.ts'
import type { UpstreamCounters } from '../../upstreams/upstream.ts'
import type { OutsideWorld } from '../outside-world.ts'
import type { KnownMarket, KnownVenue } from '../roles/known-market.ts'
import { createHosts } from '../upstream-hosts.ts'
import { openBase } from './base.ts'
import { type OpenDerivatives, openDerivatives } from './derivatives.ts'
import { type OpenDirectory, openDirectory } from './directory.ts'
import { type OpenSentiment, openSentiment } from './sentiment.ts'
import { openTokenSources } from './token-sources.ts'
import { type OpenTokens, openTokens } from './tokens.ts'
import { type OpenWallets, openWallets } from './wallets.ts'
import { type OpenWhales, openWhales } from './whales.ts'
import { openWriter } from './writer.ts'

/** What is known beyond prices and signals: tokens, wallets, moods, derivatives, whales, other sellers. */
export type OpenIntel = Pick<OpenDerivatives, 'derivatives'> &
  Pick<OpenSentiment, 'sentiment'> &
  Pick<OpenWhales, 'whales'> &
  Pick<OpenWallets, 'wallets' | 'walletLookup'> &
  Pick<OpenDirectory, 'directory'> & {
    wholeMarket(): Part<GlobalMarket>
    cascadeRisk(coin: Coin): Part<CascadeRisk>
    writer: Writer
    /** Of the chat, which is free: it may spend half of the budget. */
    chatWriter: Writer
    tokens: Omit<OpenTokens, 'start' | 'stop'>
    counters(): readonly UpstreamCounters[]
    /** Resolves when all that is quick by nature has been read once, or is late; what is not there is 503 until it is. */
    start(): Promise<void>
    stop(): void
  }

type Ports = {
  config: Pick<Config, 'mode' | 'keys' | 'writer' | 'intelRpcUrl'> & { traces?: Config['traces'] }
  world: Pick<OutsideWorld, 'upstreams' | 'money' | 'findExchange'>
  open: Omit<KnownMarket, 'feeds'>
  venue: Pick<KnownVenue, 'fiveMinute'>
  /** Keeps how often the language model was asked today. */
  counters: DemoCounters
  clock: Clock
  log: Log
}

/** A source that is down must not keep the service from starting. */
const FIRST_READS_WAIT_MS = 4_000

export function openIntel({ config, world, open, venue, counters, clock, log }: Ports): OpenIntel {
  const hosts = createHosts({ clock, log, isTraced: config.traces !== undefined })
  const { upstreams } = world
  const shared = { hosts, upstreams, clock }
  const { base, hasNode, blockscout, history, close } = openBase({ config, world, hosts, clock })
  const derivatives = openDerivatives({ ...shared, market: open.market, log })
  const whales = openWhales({
    ...shared,
    ...{ market: open.market, onTrade: open.onTrade, base: hasNode ? base : undefined },
    findExchange: world.findExchange,
  })
  const sentiment = openSentiment({
    ...shared,
    ...{ market: open.market, signals: open.signals, fiveMinute: venue.fiveMinute },
    ...{ whales: whales.whales, derivatives: derivatives.derivatives },
    coinGeckoKey: config.keys.coinGecko?.reveal(),
  })
  const directory = openDirectory(shared)
  const sources = openTokenSources(shared)
  const tokens = openTokens({ sources, chain: base, blockscout, clock })
  const wallets = openWallets({
    ...{ chain: base, hasNode, explorer: blockscout, history, clock },
    tokens: tokens.facts,
    findExchange: world.findExchange,
  })
  const { writer, chatWriter } = openWriter({
    ...{ config, hosts, clock, log, counters },
    url: upstreams.LLM,
  })
  const quick = [derivatives, whales, sentiment, tokens]
  // Its lists are long and read page by page, which takes minutes.
  const slow = [directory]
  const all = [...quick, ...slow]
  const stopChecks = clock.every(SECOND_MS, () => {
    for (const host of hosts.all) host.check()
  })
  return {
    derivatives: derivatives.derivatives,
    whales: whales.whales,
    sentiment: sentiment.sentiment,
    wholeMarket: sentiment.sentiment.wholeMarket,
    cascadeRisk: (coin) => cascadePart(derivatives.derivatives, coin),
    writer,
    chatWriter,
    directory: directory.directory,
    wallets: wallets.wallets,
    walletLookup: wallets.walletLookup,
    tokens,
    counters: () => hosts.all.map(({ counters }) => counters()),
    async start() {
      let isRead = false
      // One that cannot be read must not end the process.
      void Promise.allSettled(quick.map((each) => each.start())).then(() => {
        isRead = true
      })
      void Promise.allSettled(slow.map((each) => each.start()))
      await waitUntil(clock, () => isRead, FIRST_READS_WAIT_MS)
    },
    stop() {
      stopChecks()
      for (const each of all) each.stop()
      close()
      hosts.close()
    },
  }
}
