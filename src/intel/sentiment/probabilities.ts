import type { Coin } from '../../core/coin.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import { windowAt } from '../../core/time/window.ts'
import type { FiveMinuteMarkets } from '../../feeds/prediction/five-minute-markets.ts'
import type { SignalEngine } from '../../signals/live/engine.ts'
import type { Regime, Signal } from '../../signals/signal.ts'
import { type Part, toPart } from '../part.ts'

const AGES = { freshMs: 10 * SECOND_MS, hardMs: 60 * SECOND_MS }

/** Our signal of the window that is open now. */
export function signalPart(signals: Pick<SignalEngine, 'signal'>, coin: Coin, nowMs: number): Part<Signal> {
  const signal = signals.signal(coin)
  const isOfNow = signal?.windowStartS === windowAt(nowMs).startS
  const part = toPart(
    { source: 'signal_engine', ages: AGES, nowMs },
    isOfNow ? { value: signal, asOfMs: signal.asOfMs } : undefined,
  )
  return part.status === 'missing' ? { ...part, reason: 'no signal of the open window' } : part
}

export const regimeOf = ({ regime }: Signal): Regime => regime

/** What the open five-minute market asks for UP: the mid of its best bid and ask. */
export function oddsPart(
  fiveMinute: Pick<FiveMinuteMarkets, 'open'>,
  coin: Coin,
  nowMs: number,
): Part<number> {
  const open = fiveMinute.open(coin)
  const bid = open?.up.bids[0]?.[0]
  const ask = open?.up.asks[0]?.[0]
  const isOfNow = open?.market.window.startS === windowAt(nowMs).startS
  const found =
    open && isOfNow && bid !== undefined && ask !== undefined && bid < ask
      ? { value: (bid + ask) / 2, asOfMs: open.asOfMs }
      : undefined
  const part = toPart({ source: 'polymarket_clob', ages: AGES, nowMs }, found)
  return part.status === 'missing' ? { ...part, reason: 'no book with a bid and an ask' } : part
}
