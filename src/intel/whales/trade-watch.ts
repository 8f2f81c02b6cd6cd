import type { Coin } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { type Trade, VENUES } from '../../feeds/events.ts'
import type { WhaleList } from '../../upstreams/coinlobster/wire.ts'
import type { Polled } from '../../upstreams/polled.ts'
import { type Ages, type Part, toPart } from '../part.ts'
import { createLargeTrades, type LargeTradePorts, type TradeFlow, type WatchedTrade } from './large-trades.ts'

/** Large trades out of our own streams and of CoinLobster's list; either will do. */
export type TradeWatch = {
  /** A trade of a venue that we follow, of any size. */
  hear(trade: Trade): void
  /** A list of CoinLobster, as soon as it is read: the next one may not have its rows any more. */
  report(list: WhaleList): void
  trades(): Part<readonly WatchedTrade[]>
  flow(coin: Coin, minUsd?: number): Part<TradeFlow>
  version(): string
}

const AGES: Ages = { freshMs: 2 * MINUTE_MS, hardMs: 10 * MINUTE_MS }
const EVERYBODY = [...VENUES, 'coinlobster'].join('_and_')

type Ports = Pick<LargeTradePorts, 'priceUsd'> & {
  clock: Clock
  whales: Pick<Polled<unknown>, 'last' | 'fault'>
}

export function createTradeWatch({ clock, priceUsd, whales }: Ports): TradeWatch {
  const large = createLargeTrades({ now: clock.now, priceUsd })

  /** Who tells of trades now, and as of when: a live stream also says that nothing large happened. */
  const tellers = (nowMs: number) => {
    const own = VENUES.map((venue) => ({ name: venue as string, atMs: large.lastHeardMs(venue) }))
    return [...own, { name: 'coinlobster', atMs: whales.last()?.asOfMs }].flatMap(({ name, atMs }) =>
      atMs === undefined || nowMs - atMs > AGES.hardMs ? [] : [{ name, atMs }],
    )
  }
  const part = <T>(read: (nowMs: number) => T): Part<T> => {
    const nowMs = clock.now()
    const telling = tellers(nowMs)
    if (telling.length === 0)
      return toPart({ source: EVERYBODY, ages: AGES, nowMs }, undefined, whales.fault())
    const source = telling.map(({ name }) => name).join('_and_')
    // A venue's clock may run ahead of ours.
    const asOfMs = Math.min(nowMs, Math.max(...telling.map(({ atMs }) => atMs)))
    return toPart({ source, ages: AGES, nowMs }, { value: read(nowMs), asOfMs })
  }
  return {
    hear: large.hear,
    report: ({ trades }) => large.add(trades),
    trades: () => part(large.list),
    flow: (coin, minUsd) => part((nowMs) => large.flow(coin, nowMs, minUsd)),
    version: () => `${large.version}/${whales.last()?.asOfMs}`,
  }
}
