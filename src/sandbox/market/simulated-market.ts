import { COINS, type Coin } from '../../core/coin.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import { mergeCandles } from './candles/candles.ts'
import type { Instrument, SimVenue } from './instrument.ts'
import { createLatent, type Latent } from './latent/latent.ts'
import { createListeners, type Listeners } from './listeners.ts'
import { createOracle, ORACLE_DELAY_MS, type Oracle } from './oracle.ts'
import { createPairs, type Pairs } from './pairs.ts'
import { createPerpetual, type Perpetual } from './perpetual.ts'
import { createPerpetualVenues, type PerpetualVenues } from './perpetual-venues.ts'
import type {
  SimBook,
  SimBookDiff,
  SimCandle,
  SimFunding,
  SimLiquidation,
  SimOracleTick,
  SimTrade,
} from './sim-events.ts'
import type { TradeLog } from './trade-log.ts'

/**
 * `bookEveryMs` divides a second or is a number of whole seconds. `tradesPerSecond` is how often an order
 * arrives at Binance's BTC pair on an average day; the other pairs follow in proportion.
 */
export type Cadence = { bookEveryMs: number; tradesPerSecond: number }
const LIVE_CADENCE: Cadence = { bookEveryMs: 100, tradesPerSecond: 5 }

type Listen<T> = Listeners<T>['listen']

/**
 * Listeners run inside `advanceTo`, in order of time. After a restart with the same seed, prices, oracle, funding and
 * liquidations continue as if it had never stopped; trades and books are drawn anew around the same prices, with higher
 * ids.
 */
export type SimulatedMarket = {
  /** The simulation has run up to this time. */
  nowMs(): number
  advanceTo(ms: number): void
  /** The start of the history that is served: yesterday's midnight (UTC), in the first hours of a day a little earlier. */
  historyFromMs(): number
  onTrade: Listen<SimTrade>
  onBookDiff: Listen<SimBookDiff>
  /** Once a second per coin, a second late. */
  onOracle: Listen<SimOracleTick>
  /** Once a second per coin. */
  onFunding: Listen<SimFunding>
  onLiquidation: Listen<SimLiquidation>
  /** The time, at the end of every step of the simulation: all that happened in it has been told. */
  onTick: Listen<number>
  instrument(venue: SimVenue, coin: Coin): Instrument
  book(venue: SimVenue, coin: Coin): SimBook
  trades(venue: SimVenue, coin: Coin): Omit<TradeLog, 'push'>
  /** One candle of `minutes` whole minutes; the current one holds what happened so far. */
  candle(venue: SimVenue, coin: Coin, openMs: number, minutes?: number): SimCandle
  oracle: Oracle
  perpetual: Perpetual
  /** The same perpetuals at every venue that has them. */
  perpetualVenues: PerpetualVenues
  /** The hidden state, for tests and for judging signals; no provider serves it. */
  latent: Latent
}

/** Who starts right after midnight asks for a day and two hours before it, and some minutes later again. */
const HISTORY_MS = 27 * HOUR_MS

/** On a whole hour, so that candles of any size begin there. */
const historyFrom = (nowMs: number) =>
  Math.min((Math.floor(nowMs / DAY_MS) - 1) * DAY_MS, Math.floor((nowMs - HISTORY_MS) / HOUR_MS) * HOUR_MS)

export function createSimulatedMarket(input: {
  seed: string | number
  startMs: number
  cadence?: Partial<Cadence>
}): SimulatedMarket {
  const seed = String(input.seed)
  const cadence = { ...LIVE_CADENCE, ...input.cadence }
  const latent = createLatent(seed)
  const perpetual = createPerpetual(seed, latent)
  const sources = {
    latent,
    oracle: createOracle(latent),
    perpetual,
    perpetualVenues: createPerpetualVenues(seed, perpetual),
  }
  // Starts a minute early, so that books, trades and a closed candle exist at `startMs`.
  const warmMs = Math.floor(input.startMs / MINUTE_MS) * MINUTE_MS - MINUTE_MS
  const pairs = createPairs({ seed, latent, startMs: warmMs, btcOrdersPerSecond: cadence.tradesPerSecond })
  const events = createEvents()
  const tickMs = checkedTickMs(cadence.bookEveryMs)
  let nowMs = warmMs
  const advanceTo = (ms: number) => {
    while (nowMs + tickMs <= ms) {
      nowMs += tickMs
      tick(nowMs, cadence.bookEveryMs, pairs, events)
      if (nowMs % 1000 === 0) tellSecond(nowMs, sources, events)
      events.tick.emit(nowMs)
    }
  }
  advanceTo(input.startMs)
  return {
    nowMs: () => nowMs,
    advanceTo,
    historyFromMs: () => historyFrom(nowMs),
    onTrade: events.trade.listen,
    onBookDiff: events.bookDiff.listen,
    onOracle: events.oracle.listen,
    onFunding: events.funding.listen,
    onLiquidation: events.liquidation.listen,
    onTick: events.tick.listen,
    instrument: (venue, coin) => pairs.find(venue, coin).instrument,
    book: (venue, coin) => pairs.find(venue, coin).market.book(),
    trades: (venue, coin) => pairs.find(venue, coin).log,
    candle(venue, coin, openMs, minutes = 1) {
      const { candles } = pairs.find(venue, coin)
      const endMs = Math.min(openMs + minutes * MINUTE_MS, nowMs + 1)
      const parts: SimCandle[] = []
      for (let ms = openMs; ms < endMs; ms += MINUTE_MS) parts.push(candles.at(ms))
      return mergeCandles(parts)
    },
    ...sources,
  }
}

function createEvents() {
  return {
    trade: createListeners<SimTrade>(),
    bookDiff: createListeners<SimBookDiff>(),
    oracle: createListeners<SimOracleTick>(),
    funding: createListeners<SimFunding>(),
    liquidation: createListeners<SimLiquidation>(),
    tick: createListeners<number>(),
  }
}
type Events = ReturnType<typeof createEvents>

/** Trades of all pairs in order of time, then the books as they stand afterwards. */
function tick(atMs: number, bookEveryMs: number, pairs: Pairs, events: Events): void {
  const trades = pairs.all.flatMap(({ market }) => market.trade(atMs))
  for (const trade of trades.sort((a, b) => a.atMs - b.atMs)) {
    pairs.record(trade)
    events.trade.emit(trade)
  }
  if (atMs % bookEveryMs !== 0) return
  for (const { market } of pairs.all) {
    const diff = market.requote(atMs)
    if (diff) events.bookDiff.emit(diff)
  }
}

type Sources = Pick<SimulatedMarket, 'oracle' | 'perpetual'>

function tellSecond(atMs: number, { oracle, perpetual }: Sources, events: Events): void {
  for (const coin of COINS) {
    const forced = perpetual.liquidation(coin, atMs)
    if (forced) events.liquidation.emit(forced)
    events.funding.emitLazily(() => perpetual.at(coin, atMs))
    events.oracle.emitLazily(() => oracle.at(coin, (atMs - ORACLE_DELAY_MS) / 1000))
  }
}

function checkedTickMs(bookEveryMs: number): number {
  const isOk =
    Number.isInteger(bookEveryMs) && (bookEveryMs >= 1000 ? bookEveryMs % 1000 : 1000 % bookEveryMs) === 0
  if (!isOk || bookEveryMs < 100) throw new RangeError('bookEveryMs must divide a second or be whole seconds')
  return Math.min(1000, bookEveryMs)
}
