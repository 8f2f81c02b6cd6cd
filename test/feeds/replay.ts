import { COINS, type Coin } from '../../src/core/coin.ts'
import { type FeedSink, type OracleTick, type Trade, VENUES, type Venue } from '../../src/feeds/events.ts'
import type { FeedsHealth } from '../../src/feeds/feeds.ts'
import type { Market } from '../../src/market/market.ts'
import { MINUTES_KEPT } from '../../src/market/pair.ts'
import type { BadNetwork } from './bad-network.ts'
import { type BookAudit, createBookAudit } from './book-audit.ts'
import { openWorld, START_MS } from './world.ts'

const STEP_MS = 5_000
/** After the bad line has healed: the last repairs, probes and candle reads. */
const TAIL_MS = 3 * 60_000
const HOUR_S = 3_600

export type ReplayOptions = {
  spanMs: number
  network?: Pick<BadNetwork, 'tamper' | 'heal'>
  repairsGaps?: boolean
  disconnectEveryMs?: number
}

export type Replay = Pick<BookAudit, 'books' | 'lost'> & {
  market: Market
  /** In the order in which they were passed on. */
  trades: readonly Trade[]
  health: FeedsHealth
  wallMs: number
}

/** Runs the same market through real sockets and the real client, step by step. */
export async function replay(options: ReplayOptions): Promise<Replay> {
  const { spanMs, network, repairsGaps = true, disconnectEveryMs = Number.POSITIVE_INFINITY } = options
  const startedMs = performance.now()
  const { spy, look, books, lost } = createBookAudit()
  const trades: Trade[] = []
  const hearing = (sink: FeedSink): FeedSink => ({
    ...spy(sink),
    trade(trade) {
      trades.push(trade)
      sink.trade(trade)
    },
  })
  await using world = await openWorld({
    spy: hearing,
    repairsGaps,
    ...(network && { tamper: network.tamper }),
  })
  const { market, feeds, internet, simulation } = world
  for (let passedMs = STEP_MS; passedMs <= spanMs + TAIL_MS; passedMs += STEP_MS) {
    if (passedMs > spanMs) network?.heal()
    else if (passedMs % disconnectEveryMs === 0) internet.disconnectAll()
    await world.stepTo(START_MS + passedMs)
    look(market, simulation)
  }
  return { market, trades, books, lost, health: feeds.health(), wallMs: performance.now() - startedMs }
}

/** One-minute candles of the span by pair, volumes to the eight decimals that venues quote. */
export function candlesOf({ market }: Replay, spanMs: number): Record<string, unknown[]> {
  const read = (venue: Venue, coin: Coin) =>
    market
      .candles(venue, coin, MINUTES_KEPT)
      .filter(({ openMs }) => openMs >= START_MS && openMs < START_MS + spanMs)
      .map((candle) => ({
        ...candle,
        volume: round(candle.volume),
        takerBuyVolume: round(candle.takerBuyVolume),
      }))
  const pairs = VENUES.flatMap((venue) => COINS.map((coin) => [venue, coin] as const))
  return Object.fromEntries(pairs.map(([venue, coin]) => [`${venue} ${coin}`, read(venue, coin)]))
}

/** The trades of the span by pair, which must come in the order of their ids. */
export function tradesOf({ trades }: Replay, spanMs: number): Record<string, Trade[]> {
  const inSpan = trades.filter(({ atMs }) => atMs >= START_MS && atMs < START_MS + spanMs)
  return Object.fromEntries(
    VENUES.flatMap((venue) =>
      COINS.map((coin) => [
        `${venue} ${coin}`,
        inSpan.filter((trade) => trade.venue === venue && trade.coin === coin),
      ]),
    ),
  )
}

/** The price that resolves windows, second by second: the last hour since the start. */
export function oracleOf({ market }: Replay): readonly OracleTick[] {
  return COINS.flatMap((coin) =>
    market
      .oracle(coin)
      .history('twap_60s', HOUR_S)
      .filter(({ atMs }) => atMs >= START_MS),
  )
}

/** How many ticks that must be: one a second and coin, each a second late. */
export const oracleTicksOf = (spanMs: number): number =>
  COINS.length * Math.min(HOUR_S, (spanMs + TAIL_MS) / 1000)

function round(volume: number | undefined): number | undefined {
  return volume === undefined ? undefined : Math.round(volume * 1e8) / 1e8
}
