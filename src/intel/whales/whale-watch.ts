import type { Coin } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import type { LiquidationTotals } from '../../upstreams/coinlobster/wire.ts'
import type { Fees } from '../../upstreams/mempool/wire.ts'
import type { Polled } from '../../upstreams/polled.ts'
import type { EtfCoin } from '../../upstreams/sosovalue/client.ts'
import type { EtfHistory } from '../../upstreams/sosovalue/wire.ts'
import { type Ages, type Part, toPart } from '../part.ts'
import type { ChainWatch } from './chain-watch.ts'
import { ETF_AGES, type EtfFlows, toEtfFlows } from './etf-flows.ts'
import type { FlowSpan, FlowSum } from './exchange-flows.ts'
import type { TradeFlow, WatchedTrade } from './large-trades.ts'
import type { WatchedToken } from './thresholds.ts'
import type { TradeWatch } from './trade-watch.ts'
import type { Chain, LargeTransfer } from './transfer.ts'
import type { Whales } from './whales.ts'

/** Flows of one token over a span, of which `coveredMs` were watched. */
export type TokenFlow = FlowSum & { token: WatchedToken; span: FlowSpan; coveredMs: number }

/** All that is known of the large ones. Read from memory. */
export type WhaleWatch = Omit<Whales, 'trades' | 'flow'> & {
  trades(): Part<readonly WatchedTrade[]>
  /** Of trades of at least `minUsd`, in the last hour. */
  flow(coin: Coin, minUsd?: number): Part<TradeFlow>
  /** Newest first. */
  transfers(chain: Chain): Part<readonly LargeTransfer[]>
  exchangeFlows(chain: Chain): Part<readonly TokenFlow[]>
  etf(coin: EtfCoin): Part<EtfFlows>
  /** At the futures of many exchanges, in the last 24 hours. */
  liquidations(): Part<LiquidationTotals>
  bitcoinFees(): Part<Fees>
}

type Last<T> = Pick<Polled<T>, 'last' | 'fault'>
export type WhaleSources = {
  clock: Clock
  trades: TradeWatch
  liquidations: Last<LiquidationTotals>
  fees: Last<Fees>
  etf: Readonly<Record<EtfCoin, Last<EtfHistory>>>
  /** Each with the schedule that it is read on; undefined where no node of the chain is configured. */
  chains: Readonly<Record<Chain, { watch: ChainWatch; polled: Last<string> } | undefined>>
}

const TRANSFER_AGES: Ages = { freshMs: 3 * MINUTE_MS, hardMs: 15 * MINUTE_MS }
const LIQUIDATION_AGES: Ages = { freshMs: 15 * MINUTE_MS, hardMs: 2 * HOUR_MS }
const FEE_AGES: Ages = { freshMs: 5 * MINUTE_MS, hardMs: 30 * MINUTE_MS }

const CHAIN_SOURCES: Readonly<Record<Chain, string>> = { bitcoin: 'mempool_space', base: 'base_node' }
const CHAIN_TOKENS: Readonly<Record<Chain, readonly WatchedToken[]>> = {
  bitcoin: ['BTC'],
  base: ['USDC', 'WETH', 'cbBTC'],
}
const SPANS: readonly FlowSpan[] = ['1h', '24h']

export function createWhaleWatch(sources: WhaleSources): WhaleWatch {
  const { clock, trades, liquidations, fees, etf, chains } = sources
  const ofChain = <T>(chain: Chain, read: (watch: ChainWatch, nowMs: number) => T): Part<T> => {
    const [source, nowMs] = [CHAIN_SOURCES[chain], clock.now()]
    const watched = chains[chain]
    if (!watched) return { source, status: 'missing', reason: 'no node of this chain is configured' }
    const last = watched.polled.last()
    const found = last && { value: read(watched.watch, nowMs), asOfMs: last.asOfMs }
    return toPart({ source, ages: TRANSFER_AGES, nowMs }, found, watched.polled.fault())
  }
  return {
    trades: trades.trades,
    flow: trades.flow,
    transfers: (chain) => ofChain(chain, (watch, nowMs) => watch.transfers(nowMs)),
    exchangeFlows: (chain) => ofChain(chain, (watch, nowMs) => flowsOf(chain, watch, nowMs)),
    etf(coin) {
      const [nowMs, last] = [clock.now(), etf[coin].last()]
      const found = last && toEtfFlows(last, nowMs)
      return toPart({ source: 'sosovalue', ages: ETF_AGES, nowMs }, found, etf[coin].fault())
    },
    liquidations() {
      const [nowMs, last] = [clock.now(), liquidations.last()]
      // Its own time is older than the reading.
      const found = last && { value: last.value, asOfMs: Math.min(last.value.asOfMs, last.asOfMs) }
      return toPart({ source: 'coinlobster', ages: LIQUIDATION_AGES, nowMs }, found, liquidations.fault())
    },
    bitcoinFees: () =>
      toPart({ source: 'mempool_space', ages: FEE_AGES, nowMs: clock.now() }, fees.last(), fees.fault()),
    version: () => versionOf(sources),
  }
}

function flowsOf(chain: Chain, watch: ChainWatch, nowMs: number): TokenFlow[] {
  const coveredMs = Math.max(0, nowMs - (watch.sinceMs() ?? nowMs))
  return CHAIN_TOKENS[chain].flatMap((token) =>
    SPANS.flatMap((span) => {
      const sum = watch.flow(token, span, nowMs)
      return sum ? [{ ...sum, token, span, coveredMs }] : []
    }),
  )
}

function versionOf({ trades, liquidations, fees, etf, chains }: WhaleSources): string {
  const chainVersions = Object.values(chains).map(
    (chain) => `${chain?.watch.version}-${chain?.polled.last()?.asOfMs}`,
  )
  const polled = [liquidations, fees, ...Object.values(etf)].map((each) => each.last()?.asOfMs)
  return [trades.version(), ...chainVersions, ...polled].join('/')
}
