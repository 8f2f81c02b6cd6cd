import { expect, test } from 'vitest'
import { createManualClock } from '../core/time/manual-clock.ts'
import type { PriceKind } from '../feeds/events.ts'
import { createMarket } from '../market/market.ts'
import { createOracleAt } from './oracle-at.ts'

test('returns the tick of exactly that second, the average before the spot price', () => {
  const market = createMarket({ clock: createManualClock(0) })
  const oracle = createOracleAt(market)
  const tick = (kind: PriceKind, atMs: number, price: number) =>
    market.sink.oracle({ coin: 'BTC', kind, price, source: 'polybolt', atMs })
  expect(oracle('BTC', 100)).toBeUndefined()
  tick('spot', 100_200, 7)
  expect(oracle('BTC', 100)).toEqual({ price: 7, kind: 'spot', atMs: 100_200 })
  tick('twap_60s', 100_900, 8)
  tick('twap_60s', 102_000, 9)
  expect(oracle('BTC', 100)).toEqual({ price: 8, kind: 'twap_60s', atMs: 100_900 })
  expect([oracle('BTC', 101), oracle('BTC', 103), oracle('ETH', 100)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(oracle('BTC', 102)).toMatchObject({ price: 9 })
})
