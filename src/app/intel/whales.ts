import type { Upstreams } from '../../config/providers.ts'
import type { Coin } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time/time.ts'
import { createBaseWatch, type TransferSource } from '../../intel/whales/base-watch.ts'
import { createBitcoinWatch } from '../../intel/whales/bitcoin-watch.ts'
import type { ChainWatch } from '../../intel/whales/chain-watch.ts'
import { findPublicExchange } from '../../intel/whales/labels.ts'
import { createTradeWatch } from '../../intel/whales/trade-watch.ts'
import type { FindExchange } from '../../intel/whales/transfer.ts'
import { createWhaleWatch, type WhaleWatch } from '../../intel/whales/whale-watch.ts'
import type { Market } from '../../market/market.ts'
import { createCoinLobster } from '../../upstreams/coinlobster/client.ts'
import { createMempool } from '../../upstreams/mempool/client.ts'
import { createPolled, type Polled } from '../../upstreams/polled.ts'
import { createSosoValue } from '../../upstreams/sosovalue/client.ts'
import type { OpenMarket } from '../market.ts'
import type { Hosts } from '../upstream-hosts.ts'

export type OpenWhales = { whales: WhaleWatch; start(): Promise<void>; stop(): void }

type Ports = {
  hosts: Hosts
  upstreams: Upstreams
  clock: Clock
  market: Pick<Market, 'price'>
  onTrade: OpenMarket['onTrade']
  /** A node of Base; undefined where none is configured. */
  base: TransferSource | undefined
  /** Replaced in the sandbox, whose exchanges have other addresses. */
  findExchange?: FindExchange | undefined
  /** Replaced in tests only. */
  random?: () => number
}

/** The list has fifty rows: at this pace none is missed on most days. */
const WHALES_EVERY_MS = 30 * SECOND_MS
const LIQUIDATIONS_EVERY_MS = 5 * MINUTE_MS
/** With the eleven requests that a block takes this stays below twenty a minute. */
const BITCOIN_EVERY_MS = 40 * SECOND_MS
const FEES_EVERY_MS = 2 * MINUTE_MS
const BASE_EVERY_MS = 20 * SECOND_MS
/** Blocks come every ten minutes on average: two hours without one happen once in some three years. */
const BITCOIN_BLOCK_WITHIN_MS = 2 * HOUR_MS
/** Base has a block every two seconds; the chain of the sandbox, when it is idle, one in four minutes. */
const BASE_BLOCK_WITHIN_MS = 5 * MINUTE_MS
/** A figure a day; more often only finds it sooner. */
const ETF_EVERY_MS = HOUR_MS / 2

export function openWhales(ports: Ports): OpenWhales {
  const { hosts, upstreams, clock, market, base, findExchange = findPublicExchange } = ports
  const random = ports.random ?? Math.random
  const all: Polled<unknown>[] = []
  const poll = <T>(everyMs: number, fetch: () => Promise<T>, movesWithinMs?: number): Polled<T> => {
    const moves =
      movesWithinMs === undefined ? {} : { moves: { withinMs: movesWithinMs, of: (value: T) => value } }
    const polled = createPolled({ clock, random, everyMs, fetch, ...moves })
    all.push(polled)
    return polled
  }
  const watched = (watch: ChainWatch, everyMs: number, blockWithinMs: number) => ({
    watch,
    polled: poll(everyMs, watch.read, blockWithinMs),
  })
  const mempool = createMempool(hosts.open('mempool', upstreams.MEMPOOL))
  const coinLobster = createCoinLobster(hosts.open('coinlobster', upstreams.COINLOBSTER))
  const sosoValue = createSosoValue(hosts.open('sosovalue', upstreams.SOSOVALUE))
  const whaleList = poll(WHALES_EVERY_MS, async () => trades.report(await coinLobster.whales()))
  const priceOf = (coin: Coin) => market.price(coin)?.price
  const trades = createTradeWatch({ clock, priceUsd: priceOf, whales: whaleList })
  const bitcoin = createBitcoinWatch({
    ...{ clock, findExchange, source: mempool },
    priceUsd: () => priceOf('BTC'),
  })
  const baseWatch =
    base &&
    createBaseWatch({
      ...{ findExchange, source: base },
      // A dollar coin is a dollar; wrapped coins are what they wrap.
      priceUsd: (token) => (token === 'USDC' ? 1 : priceOf(token === 'WETH' ? 'ETH' : 'BTC')),
    })
  const whales = createWhaleWatch({
    clock,
    trades,
    liquidations: poll(LIQUIDATIONS_EVERY_MS, coinLobster.liquidations),
    fees: poll(FEES_EVERY_MS, mempool.fees),
    etf: {
      BTC: poll(ETF_EVERY_MS, () => sosoValue.inflows('BTC')),
      ETH: poll(ETF_EVERY_MS, () => sosoValue.inflows('ETH')),
      SOL: poll(ETF_EVERY_MS, () => sosoValue.inflows('SOL')),
    },
    chains: {
      bitcoin: watched(bitcoin, BITCOIN_EVERY_MS, BITCOIN_BLOCK_WITHIN_MS),
      base: baseWatch && watched(baseWatch, BASE_EVERY_MS, BASE_BLOCK_WITHIN_MS),
    },
  })
  let unlisten = () => {}
  return {
    whales,
    async start() {
      unlisten = ports.onTrade(trades.hear)
      await Promise.all(all.map((polled) => polled.start()))
    },
    stop() {
      unlisten()
      for (const polled of all) polled.stop()
    },
  }
}
