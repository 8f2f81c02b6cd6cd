import type { Broker } from '../bot/brokers/broker.ts'
import { createPaperBroker } from '../bot/brokers/paper/paper-broker.ts'
import { createPayouts } from '../bot/brokers/payouts.ts'
import { createPolymarketBroker, type PolymarketInput } from '../bot/brokers/polymarket/polymarket-broker.ts'
import type { Config } from '../config/config.ts'
import type { Log } from '../core/log.ts'
import { usd } from '../core/money.ts'
import type { Clock } from '../core/time/clock.ts'
import { SECOND_MS } from '../core/time/time.ts'
import type { FiveMinuteFeed } from '../feeds/prediction/five-minute-markets.ts'
import type { PaperBook } from '../ledger/ports/paper-book.ts'
import { createClob } from '../upstreams/polymarket/clob/client.ts'
import { createPolyData, type PolyData } from '../upstreams/polymarket/data/client.ts'
import { createRelayerClient } from '../upstreams/polymarket/relayer/client.ts'
import { createTrading } from '../upstreams/polymarket/trading/create-trading.ts'
import { createPolyWeb } from '../upstreams/polymarket/web/client.ts'
import type { UpstreamCounters } from '../upstreams/upstream.ts'
import type { OutsideWorld } from './outside-world.ts'
import { findPolyAccount, type PolyAccount } from './poly-account.ts'
import { createHosts, type Hosts } from './upstream-hosts.ts'

export type BotBrokers = {
  brokers: { paper: Broker; polymarket: Broker | undefined }
  /** What the venue publishes: payouts that its other hosts do not tell. */
  data: Pick<PolyData, 'resolution'>
  /** Why `polymarket` is missing, and what to set; empty where it is there. */
  whyNoLive: string
  /** The deposit wallet that `polymarket` trades with. */
  wallet: string | undefined
  /** Of the providers that only the brokers ask. */
  counters(): readonly UpstreamCounters[]
  close(): void
}

type Ports = {
  config: Config
  world: Pick<OutsideWorld, 'upstreams' | 'prediction'>
  book: PaperBook
  markets: Pick<FiveMinuteFeed, 'open' | 'missing' | 'onResolved'>
  clock: Clock
  log: Log
  /** Replaced in tests only. */
  random?: () => number
}

/** The paper account, and the operator's own at the venue where there is one. Nothing is asked before it is needed. */
export function openBotBrokers(ports: Ports): BotBrokers {
  const { config, world, markets, clock } = ports
  const found = findPolyAccount(config, world)
  const hosts = createHosts({ ...ports, isTraced: ports.config.traces !== undefined })
  const clob = createClob(hosts.open('clob', world.upstreams.CLOB))
  const data = createPolyData(hosts.open('poly_data', world.upstreams.POLY_DATA))
  const payouts = createPayouts({ markets, clob, data })
  const { payoutOf } = payouts
  const paper = createPaperBroker({
    ...ports,
    startCashE6: usd(String(config.paperUsd)),
    payoutOf,
    serverTimeMs: clob.timeMs,
  })
  const live = 'account' in found ? openLive(found.account, ports, hosts, { payoutOf, data }) : undefined
  const stopChecks = clock.every(SECOND_MS, () => {
    for (const host of hosts.all) host.check()
  })
  return {
    brokers: { paper, polymarket: live?.broker },
    data,
    whyNoLive: 'account' in found ? '' : found.whyNot,
    wallet: live?.wallet,
    counters: () => live?.hosts.map(({ counters }) => counters()) ?? [],
    close() {
      stopChecks()
      paper.close()
      live?.broker.close()
      payouts.close()
      hosts.close()
    },
  }
}

function openLive(
  { owner, wallet, ownerKey, relayerKey: key }: PolyAccount,
  { world, clock, log }: Ports,
  { open }: Hosts,
  shared: Pick<PolymarketInput, 'payoutOf' | 'data'>,
) {
  const { CLOB: clobUrl, POLY_WEB, RELAYER: baseUrl } = world.upstreams
  const web = open('poly_web', POLY_WEB)
  const upstream = open('relayer', baseUrl)
  const broker = createPolymarketBroker({
    ...{ clock, log, wallet, ...shared },
    trading: createTrading({ clobUrl, ownerKey, depositWallet: wallet, clock }),
    relayer: createRelayerClient({ upstream, baseUrl, key, owner, clock }),
    web: createPolyWeb(web),
  })
  return { broker, wallet, hosts: [web, upstream] }
}
