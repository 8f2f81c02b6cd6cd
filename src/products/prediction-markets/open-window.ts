import { COINS, type Coin, listCoins } from '../../core/coin.ts'
import type { Level } from '../../core/level.ts'
import { type FailureCode, ServiceError } from '../../core/service-error.ts'
import { WINDOW_S, windowAt } from '../../core/time/window.ts'
import type { WindowMarket } from '../../feeds/prediction/five-minute-markets.ts'
import type { Signal } from '../../signals/signal.ts'
import { SIGNAL_FRESH_MS } from '../signals/fields.ts'
import type { PredictionServices } from './services.ts'

/** A book that the venue has not confirmed for this long is stale. */
export const BOOK_FRESH_MS = 10_000
export const PROBABILITY_FRESH_MS = SIGNAL_FRESH_MS
const JUST_CLOSED_RETRY_S = 1
/** The average at the opening is heard within a second or two; who has not heard it by then will not. */
const OPENING_MS = 3_000

/** The market of the window that is open at `nowMs`, and what we say about that same window. */
export type OpenWindow = { coin: Coin; nowMs: number; book: WindowMarket; signal: Signal }
export type Fault = { coin: Coin; code: FailureCode; reason: string; retryAfterS?: number }

/** Throws 503 where one of the coins cannot be had, and names those that can. */
export function openWindows(services: PredictionServices, coins: readonly Coin[]): OpenWindow[] {
  const nowMs = services.clock.now()
  const looks = coins.map((coin) => lookAt(services, coin, nowMs))
  const fault = looks.find((look) => 'code' in look)
  if (fault) throw unavailable(services, fault, nowMs)
  return looks.filter((look) => 'book' in look)
}

/** Market and signal may each be of a window that has just closed: only what is about the open one is paired. */
export function lookAt(services: PredictionServices, coin: Coin, nowMs: number): OpenWindow | Fault {
  const book = services.fiveMinute.open(coin)
  const signal = services.signals.signal(coin)
  const missing = (reason: string): Fault => ({ coin, code: 'upstream_unavailable', reason })
  if (!book) return missing(`no ${coin} market: ${services.fiveMinute.missing(coin)}`)
  if (!signal) return missing(`no ${coin} probability: ${services.signals.missing(coin)}`)
  const { startS } = windowAt(nowMs)
  const isOfNow = book.market.window.startS === startS && signal.windowStartS === startS
  if (!isOfNow || lacksOpening(book, signal, nowMs))
    return {
      ...missing(`no ${coin} market with a probability yet: its window has just opened`),
      retryAfterS: JUST_CLOSED_RETRY_S,
    }
  const stale = (what: string, ageMs: number): Fault => ({
    coin,
    code: 'stale_data',
    reason: `the ${coin} ${what} is ${Math.round(ageMs / 1000)} s old`,
  })
  if (nowMs - book.asOfMs > BOOK_FRESH_MS) return stale('book', nowMs - book.asOfMs)
  if (nowMs - signal.asOfMs > PROBABILITY_FRESH_MS) return stale('probability', nowMs - signal.asOfMs)
  if (!isSound(book)) return missing(`no ${coin} market: its books cannot be right`)
  if (isEmpty(book)) return missing(`no ${coin} market: nobody bids or asks in it now`)
  return { coin, nowMs, book, signal }
}

/** Until the average at the opening is known our probability is of spot: in a moment there will be an edge. */
function lacksOpening({ market }: WindowMarket, { priceKind }: Signal, nowMs: number): boolean {
  const { resolution, window } = market
  const isWaiting = resolution.kind === 'twap_60s' && priceKind === 'spot'
  return isWaiting && nowMs - window.startS * 1000 < OPENING_MS
}

/** Differs whenever a look at these coins would, apart from the time. */
export function windowChanges(services: PredictionServices, coins: readonly Coin[]): unknown[] {
  const { signals, record, fiveMinute, market, clock } = services
  const beforeS = windowAt(clock.now()).startS - WINDOW_S
  return coins.flatMap((coin) => {
    const signal = signals.signal(coin)
    const book = fiveMinute.open(coin)
    const entry = signal && record?.entryFor(coin, signal.windowStartS)
    const ofSignal = [signal?.version, signal?.asOfMs, entry]
    const ofBook = [book?.market, book?.version, book?.asOfMs, book?.marketAsOfMs]
    const { last } = market.oracle(coin)
    return [...ofSignal, ...ofBook, fiveMinute.market(coin, beforeS)?.finalPrice, last.twap_60s?.source]
  })
}

export const oldestMs = (windows: readonly OpenWindow[]): number =>
  Math.min(...windows.flatMap(({ book, signal }) => [book.asOfMs, signal.asOfMs]))

function unavailable(services: PredictionServices, fault: Fault, nowMs: number): ServiceError {
  const { code, reason, retryAfterS } = fault
  const others = COINS.filter((coin) => 'book' in lookAt(services, coin, nowMs))
  const hint =
    others.length > 0
      ? `${listCoins(others)} can be asked for now, with coins; nothing was charged`
      : 'none of the four coins can be asked for now; nothing was charged'
  return new ServiceError(code, reason, { hint, ...(retryAfterS !== undefined && { retryAfterS }) })
}

function isSound({ market, up, down }: WindowMarket): boolean {
  const { tokens } = market
  return up.tokenId === tokens.up && down.tokenId === tokens.down && [up, down].every(isUncrossed)
}

/** One side may be empty, near the end most are. Nobody is charged for a market without a price. */
const isEmpty = ({ up, down }: WindowMarket) =>
  [up, down].every(({ bids, asks }) => bids.length === 0 && asks.length === 0)

function isUncrossed({ bids, asks }: { bids: readonly Level[]; asks: readonly Level[] }): boolean {
  const [[bid] = [0], [ask] = [1]] = [bids[0], asks[0]]
  return bid < ask
}
