import { describe, expect, it } from 'vitest'
import { COINS } from '../../core/coin.ts'
import { createLatent } from '../market/latent/latent.ts'
import { createOracle } from '../market/oracle.ts'
import { createExchange } from './exchange.ts'
import { createLifecycle, DISPUTE_MS } from './lifecycle.ts'
import type { Listing } from './listing.ts'
import { createOrderDesk } from './orders/order-desk.ts'
import type { VenueTrouble } from './venue.ts'
import { createWindowMarket } from './windows/window-market.ts'

const START_S = Date.UTC(2026, 4, 6) / 1000
const END_MS = (START_S + 300) * 1000
const oracle = createOracle(createLatent('lifecycle'))
const make = (startS: number, coin: (typeof COINS)[number] = 'BTC') =>
  createWindowMarket({ seed: 's', oracle, coin, startS, nowMs: startS * 1000 })

/** The states that are told, with the milliseconds after the end. */
function live(change: Partial<Listing>, trouble: VenueTrouble, untilMs: number) {
  const exchange = createExchange('s')
  const lifecycle = createLifecycle(exchange, createOrderDesk(exchange))
  lifecycle.setTrouble(trouble)
  const listing = { ...make(START_S), ...change }
  const told: (readonly [string, number])[] = []
  exchange.events.listen((event) => {
    if ('atMs' in event) told.push([event.type, event.atMs - END_MS])
  })
  for (let atMs = END_MS - 10_000; atMs <= END_MS + untilMs; atMs += 1000) lifecycle.advance(listing, atMs)
  return { told, listing }
}

describe('a window', () => {
  it('is closed at its end and resolved after its delay', () => {
    const { told, listing } = live({ resolutionDelayMs: 54_000, isDisputed: false }, {}, 200_000)
    expect(told).toEqual([
      ['closed', 0],
      ['resolved', 54_000],
    ])
    expect(listing.market).toMatchObject({ state: 'resolved', resolvedMs: END_MS + 54_000 })
  })

  it('is disputed first where it is, or where tests say so', () => {
    const disputed = [
      ['closed', 0],
      ['disputed', 30_000],
      ['resolved', 30_000 + DISPUTE_MS],
    ]
    const own = live({ resolutionDelayMs: 30_000, isDisputed: true }, {}, DISPUTE_MS + 60_000)
    expect(own.told).toEqual(disputed)
    const trouble = { resolutionDelayMs: 30_000, disputed: true }
    expect(live({ isDisputed: false }, trouble, DISPUTE_MS + 60_000).told).toEqual(disputed)
  })

  it('is not resolved before the oracle has told the end, however impatient the tests', () => {
    expect(live({}, { resolutionDelayMs: 0, disputed: false }, 5_000).told).toEqual([
      ['closed', 0],
      ['resolved', 1000],
    ])
  })

  it('takes orders until shortly before its end, or a while after it', () => {
    const before = live({ acceptUntilMs: END_MS - 3000 }, { resolutionDelayMs: 60_000 }, -3000)
    expect([before.listing.market.acceptingOrders, before.listing.market.state]).toEqual([false, 'open'])
    const after = live({ acceptUntilMs: END_MS + 90_000 }, { resolutionDelayMs: 60_000 }, 59_000)
    expect([after.listing.market.acceptingOrders, after.listing.market.state]).toEqual([true, 'closed'])
  })

  it('resolves to UP where the two means are equal', () => {
    const still = {
      at: (coin: (typeof COINS)[number], second: number) => ({
        coin,
        atMs: second * 1000,
        publishedMs: second * 1000 + 1000,
        spotUsd: 100,
        twap60Usd: 100,
      }),
    }
    const input = { seed: 's', coin: 'SOL', startS: START_S, nowMs: END_MS } as const
    expect(createWindowMarket({ ...input, oracle: still }).decide()).toBe(0)
    const falling = {
      at: (coin: 'BTC' | 'ETH' | 'SOL' | 'XRP', s: number) => ({ ...still.at(coin, s), twap60Usd: 1e11 - s }),
    }
    expect(createWindowMarket({ ...input, oracle: falling }).decide()).toBe(1)
  })
})

it('a few windows are late or disputed, and some take orders after the end', () => {
  const all = COINS.flatMap((coin) => Array.from({ length: 288 }, (_, i) => make(START_S + i * 300, coin)))
  const share = (test: (listing: Listing) => boolean) => all.filter(test).length / all.length
  const isSoon = ({ resolutionDelayMs: ms }: Listing) => ms >= 20_000 && ms <= 90_000
  const isLate = ({ resolutionDelayMs: ms }: Listing) => ms >= 180_000 && ms <= 480_000
  expect(share((listing) => isSoon(listing) || isLate(listing))).toBe(1)
  expect(share(isLate)).toBeGreaterThan(0.015)
  expect(share(isLate)).toBeLessThan(0.05)
  expect(share(({ isDisputed }) => isDisputed)).toBeGreaterThan(0)
  expect(share(({ isDisputed }) => isDisputed)).toBeLessThan(0.02)
  const afterEndMs = ({ acceptUntilMs, market }: Listing) => acceptUntilMs - market.endsMs
  expect(share((listing) => afterEndMs(listing) >= -5000 && afterEndMs(listing) <= -1000)).toBeGreaterThan(
    0.8,
  )
  expect(share((listing) => afterEndMs(listing) >= 0 && afterEndMs(listing) <= 120_000)).toBeGreaterThan(0.1)
})
