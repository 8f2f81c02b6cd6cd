import { COINS, type Coin } from '../../core/coin.ts'
import { PRICE_KINDS, type PriceKind } from '../../feeds/events.ts'
import type { CandlesState } from '../../market/candles.ts'
import type { CoinState } from '../../market/coin-view.ts'
import type { Slot } from '../../market/minute-slots.ts'
import type { OracleState } from '../../market/oracle-history.ts'
import { MINUTES_KEPT, type PairState, TRADES_KEPT } from '../../market/pair.ts'
import { flag, list, maybe, number } from './checks.ts'
import { coinPart, type OwnMarket, pairPart } from './market-change.ts'
import {
  parseBasis,
  parseBook,
  parseFigures,
  parseTick,
  parseTrade,
  toBasisRow,
  toBookRow,
  toTickRow,
  toTradeRow,
} from './market-rows.ts'
import { PAIRS } from './pairs.ts'

/** One part of a market's state, to be written by one process and taken by another. */
export type StatePart = {
  name: string
  write(): unknown
  /** Throws on anything else than a state; what it returns takes it over. */
  parse(state: unknown): () => void
}

type Row = readonly unknown[]
const TICKS_MAX = 10_000

export function marketParts({ parts }: OwnMarket): readonly StatePart[] {
  return [
    ...PAIRS.map((pair, index) => ({
      name: pairPart(index),
      write: () => toPairState(parts.pair(pair.venue, pair.coin)),
      parse(state: unknown) {
        const parsed = parsePairState(pair, list(state, 3))
        return () => parts.restorePair(pair.venue, pair.coin, parsed)
      },
    })),
    ...COINS.map((coin) => ({
      name: coinPart(coin),
      write: () => toCoinState(parts.coin(coin)),
      parse(state: unknown) {
        const parsed = parseCoinState(coin, list(state, 1 + PRICE_KINDS.length))
        return () => parts.restoreCoin(coin, parsed)
      },
    })),
  ]
}

const toPairState = (state: PairState): Row => [
  toBookRow(state),
  state.trades.map(toTradeRow),
  toCandles(state.candles),
]
function parsePairState(pair: (typeof PAIRS)[number], [book, trades, candles]: Row): PairState {
  return {
    ...parseBook(pair, list(book, 2)),
    trades: list(trades, TRADES_KEPT).map((row) => parseTrade(pair, list(row, 6))),
    candles: parseCandles(list(candles, 6)),
  }
}

const toCandles = ({ slots, newest, lost, run }: CandlesState): Row => [
  ...[slots.map(toSlot), newest, lost, orNone(run.lastId), orNone(run.heardMinute), run.isInDoubt],
]
function parseCandles([slots, newest, lost, lastId, heardMinute, isInDoubt]: Row): CandlesState {
  return {
    slots: list(slots, MINUTES_KEPT).map((row) => parseSlot(list(row, 11))),
    newest: maybe(minuteOf, newest),
    lost: list(lost, MINUTES_KEPT).map(minuteOf),
    run: {
      lastId: maybe(number, lastId) ?? Number.NaN,
      heardMinute: maybe(minuteOf, heardMinute) ?? Number.NaN,
      isInDoubt: flag(isInDoubt),
    },
  }
}
/** No number is what candles begin with. */
const orNone = (value: number) => (Number.isNaN(value) ? undefined : value)

function minuteOf(value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number
  throw new Error('a minute is none')
}

function toSlot(slot: Slot): Row {
  const { minute, open, high, low, close, volume, takerBuyVolume, trades } = slot
  const figures = [open, high, low, close, volume, takerBuyVolume, trades]
  return [minute, slot.isUnbroken, slot.isFinal, slot.isSeeded, ...figures]
}
function parseSlot([minute, isUnbroken, isFinal, isSeeded, ...figures]: Row): Slot {
  return {
    minute: minuteOf(minute),
    ...parseFigures(figures),
    isUnbroken: flag(isUnbroken),
    isFinal: flag(isFinal),
    isSeeded: flag(isSeeded),
  }
}

const toCoinState = ({ basis, oracle }: CoinState): Row => [
  toBasisRow(basis),
  ...PRICE_KINDS.map((kind) => [
    oracle[kind].ticks.map(toTickRow),
    oracle[kind].newest && toTickRow(oracle[kind].newest),
  ]),
]
function parseCoinState(coin: Coin, [basis, twap, spot]: Row): CoinState {
  const oracle = (kind: PriceKind, state: unknown): OracleState => {
    const [ticks, newest] = list(state, 2)
    const parse = (row: unknown) => {
      const tick = parseTick(coin, list(row, 4))
      if (tick.kind !== kind || tick.atMs < 0) throw new Error('a tick is in the wrong history')
      return tick
    }
    return { ticks: list(ticks, TICKS_MAX).map(parse), newest: maybe(parse, newest) }
  }
  return {
    basis: parseBasis(list(basis, 2)),
    oracle: { twap_60s: oracle('twap_60s', twap), spot: oracle('spot', spot) },
  }
}
