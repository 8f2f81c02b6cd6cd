import { createListeners } from '../../sandbox/market/listeners.ts'
import type {
  PredictionVenue,
  TradingMode,
  VenueBook,
  VenueEvent,
  VenueFill,
  VenueLevel,
  VenueMarket,
} from '../../sandbox/prediction/venue.ts'

/** A venue that does what a test says, for tests of its wire formats. Nobody trades on it. */
export type HandMadeVenue = PredictionVenue & {
  list(market: VenueMarket): void
  /** The whole book of the first token; the other one mirrors it. */
  setBook(market: VenueMarket, bids: readonly VenueLevel[], asks: readonly VenueLevel[]): void
  trade(market: VenueMarket, fill: Pick<VenueFill, 'priceE4' | 'sharesE6' | 'side'>): void
  setTick(market: VenueMarket, tickE4: number): void
  resolve(market: VenueMarket, winner: 0 | 1): void
  /** Prices of the first token in the past. */
  setPast(priceAt: (atMs: number) => number | undefined): void
}

type Sides = { bids: readonly VenueLevel[]; asks: readonly VenueLevel[]; atMs: number }

export function createHandMadeVenue(nowMs: () => number): HandMadeVenue {
  const markets: VenueMarket[] = []
  const books = new Map<string, Sides>()
  const events = createListeners<VenueEvent>()
  let mode: TradingMode = 'on'
  let past: (atMs: number) => number | undefined = () => undefined
  const findByToken = (tokenId: string) => markets.find(({ tokenIds }) => tokenIds.includes(tokenId))
  const book = (tokenId: string): VenueBook | undefined => {
    const market = findByToken(tokenId)
    const sides = market && books.get(market.conditionId)
    if (!sides || market.state === 'resolved') return undefined
    const { bids, asks, atMs } = sides
    return tokenId === market.tokenIds[0]
      ? { tokenId, bids, asks, atMs }
      : { tokenId, bids: mirrored(asks), asks: mirrored(bids), atMs }
  }
  return {
    nowMs,
    markets: () => markets,
    ...{ findBySlug: findIn(markets), recall: findIn(markets) },
    findByCondition: (conditionId) => markets.find((market) => market.conditionId === conditionId),
    findByToken,
    book,
    priceAt(tokenId, atMs) {
      const priceE4 = past(atMs)
      const isFirst = findByToken(tokenId)?.tokenIds[0] === tokenId
      return priceE4 === undefined || isFirst ? priceE4 : 10_000 - priceE4
    },
    place() {
      throw new Error('nobody trades here')
    },
    cancel: () => false,
    order: () => undefined,
    orders: () => [],
    fills: () => [],
    onEvent: events.listen,
    mode: () => mode,
    setMode(given) {
      mode = given
    },
    setTrouble() {},
    setPast(given) {
      past = given
    },
    close() {},
    list(market) {
      markets.push(market)
      books.set(market.conditionId, { bids: [], asks: [], atMs: nowMs() })
      events.emit({ type: 'listed', market, atMs: nowMs() })
    },
    setBook(market, bids, asks) {
      books.set(market.conditionId, { bids, asks, atMs: nowMs() })
      for (const tokenId of market.tokenIds)
        events.emit({ type: 'book', market, tokenId, changes: [], atMs: nowMs() })
    },
    trade(market, fill) {
      market.lastTradeE4 = fill.priceE4
      const shared = { ...fill, orderId: 'o', wallet: 'w', tokenId: market.tokenIds[0], feeE6: 0 }
      const whole = { ...shared, id: 'f', counter: { orderId: 'c', wallet: 'v' }, atMs: nowMs() }
      events.emit({ type: 'trade', market, fill: { ...whole, role: 'MAKER' } })
      events.emit({ type: 'trade', market, fill: { ...whole, role: 'TAKER' } })
    },
    setTick(market, tickE4) {
      const oldE4 = market.tickE4
      market.tickE4 = tickE4
      events.emit({ type: 'tick_size', market, oldE4, newE4: tickE4, atMs: nowMs() })
    },
    resolve(market, winner) {
      Object.assign(market, { state: 'resolved', winner, resolvedMs: nowMs(), acceptingOrders: false })
      events.emit({ type: 'resolved', market, atMs: nowMs() })
    },
  }
}

const findIn = (markets: readonly VenueMarket[]) => (slug: string) =>
  markets.find((market) => market.slug === slug)

const mirrored = (levels: readonly VenueLevel[]): readonly VenueLevel[] =>
  levels.map(([priceE4, sharesE6]) => [10_000 - priceE4, sharesE6])

/** A window of the five-minute series, made of its coin and its start. */
export function windowMarket(windowStartS: number, coin: 'BTC' | 'ETH' = 'BTC'): VenueMarket {
  const slug = `${coin.toLowerCase()}-updown-5m-${windowStartS}`
  return {
    ...plainMarket(slug, slug),
    question: `${coin} Up or Down`,
    outcomes: ['Up', 'Down'],
    series: { coin, windowStartS },
    tags: ['up-or-down', 'crypto-prices', 'crypto', '5M'],
    listedMs: windowStartS * 1000 - 3_600_000,
    endsMs: (windowStartS + 300) * 1000,
  }
}

export function plainMarket(slug: string, eventSlug: string): VenueMarket {
  const digits = [...slug].map((letter) => String(letter.charCodeAt(0)).padStart(3, '0')).join('')
  return {
    id: String(1_000_000 + (Number(digits.slice(-6)) % 900_000)),
    conditionId: `0x${digits.padEnd(64, '7').slice(-64)}`,
    slug,
    question: `Will ${slug} happen?`,
    outcomes: ['Yes', 'No'],
    tokenIds: [`1${digits}`.slice(0, 76), `2${digits}`.slice(0, 76)],
    series: undefined,
    eventSlug,
    tags: ['politics'],
    listedMs: Date.UTC(2026, 4, 1),
    endsMs: Date.UTC(2026, 6, 1),
    state: 'open',
    acceptingOrders: true,
    tickE4: 100,
    minShares: 5_000_000,
    winner: undefined,
    resolvedMs: undefined,
    volumeE6: 49_864_651_230,
    volume24hE6: 1_827_651_229,
    lastTradeE4: 4_900,
  }
}
