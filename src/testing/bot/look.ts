import type { Look } from '../../bot/round/look.ts'
import { DEFAULT_CONFIG, type TradingConfig } from '../../bot/trading-config.ts'
import type { Level } from '../../core/level.ts'
import type { WindowMarket } from '../../feeds/prediction/five-minute-markets.ts'
import { type Signal, verdictOf } from '../../signals/signal.ts'
import type { FiveMinuteMarket } from '../../upstreams/polymarket/five-minute-market.ts'
import { fiveMinuteMarket } from '../prediction/five-minute-market.ts'

export const LOOK_START_S = 1_767_614_400
const AT_MS = (LOOK_START_S + 60) * 1000

export type LookChanges = Omit<Partial<Look>, 'config' | 'signal' | 'market'> & {
  config?: Partial<TradingConfig>
  signal?: Partial<Signal> | undefined
  market?: (Partial<Omit<WindowMarket, 'market'>> & { market?: Partial<FiveMinuteMarket> }) | undefined
  /** Of the UP token. */
  asks?: readonly Level[]
  bids?: readonly Level[]
  downAsks?: readonly Level[]
  downBids?: readonly Level[]
}

/** A look at which everything speaks for buying UP at 50 cents, and what a test wants otherwise. */
export function lookWith(given: LookChanges = {}): Look {
  const { config, signal, market, asks, bids, downAsks, downBids, ...rest } = given
  const book = (tokenId: string, askLevels: readonly Level[], bidLevels: readonly Level[]) => ({
    tokenId,
    conditionId: '0x1',
    asks: askLevels,
    bids: bidLevels,
    tickSize: 0.01,
    minOrderSize: 5,
    lastTradePrice: undefined,
    hash: undefined,
    atMs: AT_MS,
  })
  return {
    atMs: AT_MS,
    coin: 'BTC',
    windowStartS: LOOK_START_S,
    broker: 'paper',
    config: { ...DEFAULT_CONFIG, ...config },
    signal: 'signal' in given && signal === undefined ? undefined : signalWith(signal),
    signalMissing: 'the signal warms up',
    market:
      'market' in given && market === undefined
        ? undefined
        : {
            up: book('1', asks ?? [[0.5, 1_000]], bids ?? [[0.49, 1_000]]),
            down: book('2', downAsks ?? [[0.51, 1_000]], downBids ?? [[0.5, 1_000]]),
            asOfMs: AT_MS,
            marketAsOfMs: AT_MS,
            version: 1,
            ...market,
            market: { ...fiveMinuteMarket({ coin: 'BTC', startS: LOOK_START_S }), ...market?.market },
          },
    marketMissing: 'the market is not listed',
    skewMs: 0,
    cashE6: 1_000_000_000n,
    obstacles: [],
    bossSignal: undefined,
    hasOrder: false,
    day: { trades: 0, profitE6: 0n, atRiskE6: 0n },
    breaker: { isOpen: false, consecutiveLosses: 0 },
    ...rest,
  }
}

function signalWith(given: Partial<Signal> = {}): Signal {
  return {
    ...verdictOf(given.probabilityUp ?? 0.6, 0.5),
    coin: 'BTC',
    asOfMs: AT_MS,
    windowStartS: LOOK_START_S,
    price: 100_000,
    priceKind: 'twap_60s',
    regime: 'neutral',
    indicators: {
      tickMomentum: 0.5,
      bookImbalance: 0,
      aggressorRatio: 0.5,
      rsi: 25,
      volumeSpike: 1,
      rateOfChange: 0.1,
      macd: 0,
      bollinger: 0.2,
    },
    unknownIndicators: {},
    version: 1,
    ...given,
  }
}
