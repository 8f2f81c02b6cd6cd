import { COINS, type Coin } from '../../core/coin.ts'
import type { Level } from '../../core/level.ts'
import type { Clock } from '../../core/time/clock.ts'
import { windowAt } from '../../core/time/window.ts'
import type { WindowMarket } from '../../feeds/prediction/five-minute-markets.ts'
import { createMarket } from '../../market/market.ts'
import type { PredictionServices } from '../../products/prediction-markets/services.ts'
import type { Position } from '../../upstreams/polymarket/account-activity.ts'
import { type FiveMinuteMarket, slugOf } from '../../upstreams/polymarket/five-minute-market.ts'
import type { PredictionMarket } from '../../upstreams/polymarket/prediction-market.ts'
import { signalAt, signalsOf } from './hand-made-signals.ts'

export const TOKENS = { up: '111', down: '222' }
export const FEE = { rate: 0.07, exponent: 1 }

/** The market of the window that is open at `atMs`, with 100 shares on both sides of both books. */
export function windowMarketAt(
  coin: Coin,
  atMs: number,
  more: { market?: Partial<FiveMinuteMarket>; up?: Sides; down?: Sides } = {},
): WindowMarket {
  const window = windowAt(atMs)
  const conditionId = `0x${'c0'.repeat(32)}`
  const book = (tokenId: string, sides: Sides) => ({
    tokenId,
    conditionId,
    bids: [],
    asks: [],
    ...sides,
    tickSize: 0.01,
    minOrderSize: 5,
    lastTradePrice: 0.5,
    hash: undefined,
    atMs,
  })
  return {
    market: {
      coin,
      window,
      slug: slugOf(coin, window.startS),
      question: `${coin} Up or Down`,
      conditionId,
      tokens: TOKENS,
      acceptingOrders: true,
      closed: false,
      tickSize: 0.01,
      minOrderSize: 5,
      fee: FEE,
      negRisk: false,
      resolution: { kind: 'twap_60s', source: 'https://data.chain.link/streams/btc-usd-twap-60s-streams' },
      outcome: undefined,
      priceToBeat: undefined,
      finalPrice: undefined,
      volumeUsd: undefined,
      liquidityUsd: 10,
      version: 'v1',
      ...more.market,
    },
    up: book(TOKENS.up, more.up ?? { bids: [[0.49, 100]], asks: [[0.5, 100]] }),
    down: book(TOKENS.down, more.down ?? { bids: [[0.5, 100]], asks: [[0.51, 100]] }),
    marketAsOfMs: atMs,
    asOfMs: atMs,
    version: 1,
  }
}
type Sides = { bids?: readonly Level[]; asks?: readonly Level[] }

/** A market of the list, about which all is known. */
export function listedMarket(slug: string, more: Partial<PredictionMarket> = {}): PredictionMarket {
  return {
    id: slug,
    slug,
    question: `Will ${slug}?`,
    conditionId: `0x${'a1'.repeat(32)}`,
    event: { slug: `event-${slug}`, title: `About ${slug}` },
    category: 'politics',
    tags: [],
    outcomes: [
      { label: 'Yes', tokenId: '1', price: 0.6 },
      { label: 'No', tokenId: '2', price: 0.4 },
    ],
    active: true,
    closed: false,
    acceptingOrders: true,
    endsAtMs: undefined,
    startsAtMs: undefined,
    listedAtMs: Date.UTC(2025, 0, 1),
    volume24hUsd: 1_000,
    volume1wkUsd: 7_000,
    volumeUsd: 50_000,
    liquidityUsd: 2_000,
    bestBid: 0.59,
    bestAsk: 0.61,
    lastTradePrice: 0.6,
    priceChange1h: 0,
    priceChange24h: 0.05,
    priceChange1wk: 0.1,
    updatedAtMs: undefined,
    ...more,
  }
}

export function heldPosition(more: Partial<Position> = {}): Position {
  return {
    wallet: '0xab',
    tokenId: TOKENS.up,
    conditionId: `0x${'c0'.repeat(32)}`,
    slug: 'btc-updown-5m-1767614100',
    title: 'Bitcoin Up or Down',
    outcome: 'Up',
    shares: 5,
    averagePrice: 0.5,
    costUsd: 2.5,
    feesUsd: undefined,
    currentPrice: 0.6,
    currentValueUsd: 3,
    realizedPnlUsd: 0,
    unrealizedPnlUsd: 0.5,
    redeemable: false,
    mergeable: false,
    endsAtMs: undefined,
    ...more,
  }
}

/** Services of which a test replaces parts between requests. Every coin has a market and a signal at all times. */
export function predictionServices(clock: Clock): PredictionServices {
  const list: readonly PredictionMarket[] = COINS.map((coin) =>
    listedMarket(coin.toLowerCase(), { category: 'crypto' }),
  )
  return {
    clock,
    market: createMarket({ clock }),
    sourceOf: (source) => source,
    signals: signalsOf((coin) => signalAt(coin, clock.now())),
    fiveMinute: {
      open: (coin) => windowMarketAt(coin, clock.now()),
      missing: () => 'made up',
      market: () => undefined,
    },
    list: {
      last: () => ({ value: list, asOfMs: clock.now(), events: list.length, isAll: true }),
      nextMs: () => clock.now() + 300_000,
      missing: () => 'made up',
    },
    account: undefined,
  }
}
