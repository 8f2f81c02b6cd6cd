import { MINUTE_MS } from '../../core/time/time.ts'
import type { SimulatedMarket } from '../market/simulated-market.ts'
import { createExchange } from './exchange.ts'
import { createFinder } from './finder.ts'
import { createLifecycle } from './lifecycle.ts'
import type { Listing } from './listing.ts'
import { createOrderDesk } from './orders/order-desk.ts'
import { createOthers } from './others/other-crowd.ts'
import { createRegistry } from './registry.ts'
import { OrderRefused, type PredictionVenue, type TradingMode, type VenueMarket } from './venue.ts'
import { createVenueReads } from './venue-reads.ts'
import { createWindowCrowds } from './windows/window-crowds.ts'
import { createWindows } from './windows/windows.ts'

const SWEEP_EVERY_MS = MINUTE_MS

/** A prediction market venue that lives in the time of the simulated market, and follows its prices. */
export function createPredictionVenue(input: { seed: string; market: SimulatedMarket }): PredictionVenue {
  const { seed, market } = input
  const exchange = createExchange(seed)
  const desk = createOrderDesk(exchange)
  const lifecycle = createLifecycle(exchange, desk)
  const registry = createRegistry()
  const windows = createWindows(seed, market.oracle)
  const crowds = createWindowCrowds(exchange, seed, market)
  const others = createOthers(exchange, seed, (slug) => registry.bySlug(slug) !== undefined)
  let mode: TradingMode = 'on'
  let sweptMs = market.nowMs()

  /** Returns what is listed under its slug from now on; `tell` says so before its book is told. */
  const list = (made: Listing, nowMs: number, tell: (market: VenueMarket) => void) => {
    const known = registry.bySlug(made.market.slug)
    const listing = known ?? made
    if (!known) {
      registry.add(made)
      lifecycle.catchUp(made, nowMs)
    }
    const { market } = listing
    if (market.state !== 'open') return market
    tell(market)
    if (market.series && !known) crowds.furnish(listing, nowMs)
    return market
  }
  const tick = (nowMs: number) => {
    for (const listing of [...windows.listUntil(nowMs), ...others.listUntil(nowMs)])
      list(listing, nowMs, (market) => exchange.events.emit({ type: 'listed', market, atMs: nowMs }))
    for (const listing of registry.pending()) lifecycle.advance(listing, nowMs)
    desk.advanceTo(nowMs)
    crowds.advanceTo(registry.pending(), nowMs)
    others.advanceTo(nowMs)
    if (nowMs - sweptMs < SWEEP_EVERY_MS) return
    registry.sweep(nowMs)
    sweptMs = nowMs
  }
  const listQuietly = (made: Listing) => list(made, market.nowMs(), () => {})
  const finder = createFinder({ registry, windows, others, lifecycle, listQuietly, nowMs: market.nowMs })
  tick(market.nowMs())
  return {
    nowMs: market.nowMs,
    ...createVenueReads(registry, market.nowMs),
    ...finder,
    place(order) {
      const listing = registry.byToken(order.tokenId)
      if (!listing) throw new OrderRefused('Invalid token id')
      return desk.place(listing, order, market.nowMs())
    },
    cancel: (orderId) => desk.cancel(orderId, market.nowMs()),
    order: desk.order,
    orders: desk.orders,
    fills: desk.fills,
    onEvent: exchange.events.listen,
    mode: () => mode,
    setMode(next) {
      mode = next
    },
    setTrouble: lifecycle.setTrouble,
    close: market.onTick(tick),
  }
}
