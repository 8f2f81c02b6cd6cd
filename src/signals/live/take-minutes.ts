import { COINS, type Coin } from '../../core/coin.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { Market } from '../../market/market.ts'
import type { ClosedCandle } from '../history/closed-candle.ts'
import { closedMinutes, SIGNAL_VENUE } from '../history/minute-source.ts'
import { WARM_MINUTES } from '../model/features.ts'
import type { CoinEngine } from './coin-engine.ts'

/** How long coins that have their next minute wait for one that does not. Reading it from the venue takes as long. */
const WAIT_MS = 15_000

type Ports = { coins: Record<Coin, CoinEngine>; market: Pick<Market, 'candles'> }
/** The same for a coin that nobody has ever heard of: it may not be followed at all. */
const UNHEARD_WAIT_MS = 2_000

type Queue = { coin: CoinEngine; candles: readonly ClosedCandle[]; isHeard: boolean }

/**
 * Moves all coins to the next closed minute together, so that each sees the others at the same moment. A coin that was
 * left behind is not waited for again until it has caught up.
 */
export function createTakeMinutes({ coins, market }: Ports): (nowMs: number) => void {
  let waitingSinceMs: number | undefined

  const queueOf = (coin: CoinEngine, name: Coin, nowMs: number): Queue => {
    const { history } = coin
    const candles = closedMinutes(market, name, Math.max(0, history.endMs), nowMs)
    // Starting with too little history would begin a warm-up of hours: wait for the venue's past.
    const isWarm = history.count > 0 || candles.length >= WARM_MINUTES
    const isHeard = market.candles(SIGNAL_VENUE, name, 1).length > 0
    return { coin, candles: isWarm ? candles : [], isHeard }
  }
  return (nowMs) => {
    const queues = COINS.map((name) => queueOf(coins[name], name, nowMs))
    const ready = queues.filter(({ candles }) => candles.length > 0)
    if (ready.length === 0) return
    waitingSinceMs ??= nowMs
    const waitedMs = nowMs - waitingSinceMs
    const level = Math.max(...queues.map(({ coin }) => coin.history.endMs))
    const next = Math.max(...ready.map(endOf))
    const isAwaited = (queue: Queue) =>
      queue.coin.history.endMs === level &&
      endOf(queue) < next &&
      waitedMs < (queue.isHeard ? WAIT_MS : UNHEARD_WAIT_MS)
    if (queues.some(isAwaited)) return
    waitingSinceMs = undefined
    replay(ready)
  }
}

/** Where the coin's history ends once it has taken what is there. */
function endOf({ coin, candles }: Queue): number {
  const newest = candles.at(-1)
  return newest ? newest.openMs + MINUTE_MS : coin.history.endMs
}

function replay(queues: readonly Queue[]): void {
  const next = queues.map(() => 0)
  for (;;) {
    const openMs = Math.min(
      ...queues.map(({ candles }, at) => candles[next[at] ?? 0]?.openMs ?? Number.POSITIVE_INFINITY),
    )
    if (openMs === Number.POSITIVE_INFINITY) return
    const moved: CoinEngine[] = []
    queues.forEach(({ coin, candles }, at) => {
      const candle = candles[next[at] ?? 0]
      if (candle?.openMs !== openMs) return
      coin.apply(candle)
      moved.push(coin)
      next[at] = (next[at] ?? 0) + 1
    })
    for (const coin of moved) coin.minuteClosed()
  }
}
