import { COINS, type Coin } from '../../../src/core/coin.ts'
import { MINUTE_MS, SECOND_MS } from '../../../src/core/time/time.ts'
import { WINDOW_S } from '../../../src/core/time/window.ts'
import type { Direction } from '../../../src/signals/signal.ts'
import type { Seeded } from '../../../src/testing/seeded.ts'
import type { FiveMinuteMarket } from '../../../src/upstreams/polymarket/five-minute-market.ts'
import type { Timeline } from '../../simulation/timeline.ts'
import type { BotCode } from './bot-code.ts'
import type { SimMarket, SimMarkets } from './markets.ts'
import type { Weather } from './storm.ts'

/** How a process hears how windows ended: told by the feed, or asked for. */
export type Outcomes = {
  onResolved(listener: Listener, isAlive: () => boolean): () => void
  find(coin: Coin, startS: number): Promise<Direction | undefined>
}
type Listener = (market: FiveMinuteMarket) => void
type World = { timeline: Timeline; random: Seeded; weather: Weather; markets: SimMarkets; code: BotCode }

const TOLD_AGAIN_MS = 10 * MINUTE_MS

/** Tells the outcomes of all windows from `startS` up to `endS`. */
export function createOutcomes(world: World, { startS, endS }: { startS: number; endS: number }): Outcomes {
  const { timeline, random, weather, markets, code } = world
  const listeners = new Set<{ tell: Listener; isAlive: () => boolean }>()
  const recent: SimMarket[] = []
  const tellAll = (market: SimMarket) => {
    recent.push(market)
    while ((recent[0]?.resolvesMs ?? Number.POSITIVE_INFINITY) < timeline.now() - TOLD_AGAIN_MS)
      recent.shift()
    for (const { tell, isAlive } of listeners) if (isAlive()) tell(toResolved(market))
  }
  const openWindow = (atS: number) => {
    for (const coin of COINS) {
      const market = markets.of(coin, atS)
      const inMs = market.resolvesMs - timeline.now() + random.between(0, 5 * SECOND_MS)
      if (market.isHeard) timeline.after(inMs, () => tellAll(market))
    }
    if (atS + WINDOW_S < endS) timeline.after(WINDOW_S * 1000, () => openWindow(atS + WINDOW_S))
  }
  timeline.after(startS * 1000 - timeline.now(), () => openWindow(startS))
  return {
    onResolved(tell, isAlive) {
      for (const listener of listeners) if (!listener.isAlive()) listeners.delete(listener)
      const listener = { tell, isAlive }
      listeners.add(listener)
      for (const market of recent) tell(toResolved(market))
      return () => void listeners.delete(listener)
    },
    async find(coin, atS) {
      await timeline.sleep(random.between(20, 300))
      if (weather.is('venueOut', timeline.now()) || random.chance(weather.storm.readLost))
        throw new code.ServiceError('upstream_unavailable', 'the venue does not answer')
      const { resolvesMs, outcome } = markets.of(coin, atS)
      return timeline.now() >= resolvesMs ? outcome : undefined
    },
  }
}

const toResolved = ({ market, outcome }: SimMarket): FiveMinuteMarket => ({
  ...market,
  acceptingOrders: false,
  closed: true,
  outcome,
})
