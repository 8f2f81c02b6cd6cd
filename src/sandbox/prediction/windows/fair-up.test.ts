import { expect, it } from 'vitest'
import type { Oracle } from '../../market/oracle.ts'
import { createFairUp, probabilityOf } from './fair-up.ts'

const START_S = 1_800_000_000

/** A price that stood still until a second and then at another level. */
function stepOracle(atS: number, beforeUsd: number, afterUsd: number): Oracle {
  const spot = (second: number) => (second < atS ? beforeUsd : afterUsd)
  return {
    at(coin, second) {
      let sum = 0
      for (let back = 0; back < 60; back++) sum += spot(second - back)
      return {
        coin,
        atMs: second * 1000,
        publishedMs: second * 1000 + 1000,
        spotUsd: spot(second),
        twap60Usd: sum / 60,
      }
    },
  }
}
const vol = { volPerSecond: 1e-4 }

it('is even where nothing has moved, before and after the start', () => {
  const fair = createFairUp(stepOracle(Number.MAX_SAFE_INTEGER, 100, 100), 'BTC', START_S)
  for (const afterS of [-200, -30, 0, 150, 280])
    expect(probabilityOf(fair({ atMs: (START_S + afterS) * 1000, priceUsd: 100, ...vol }))).toBeCloseTo(
      0.5,
      9,
    )
})

it('is sure once the end is published; a tie is UP', () => {
  const endMs = (START_S + 301) * 1000
  const tie = createFairUp(stepOracle(Number.MAX_SAFE_INTEGER, 100, 100), 'BTC', START_S)
  expect(probabilityOf(tie({ atMs: endMs, priceUsd: 90, ...vol }))).toBeGreaterThan(0.999)
  const fell = createFairUp(stepOracle(START_S + 299, 100, 99.9999), 'BTC', START_S)
  expect(probabilityOf(fell({ atMs: endMs, priceUsd: 110, ...vol }))).toBeLessThan(0.001)
})

it('counts what is published of the last minute, and the price now for the rest', () => {
  // Half of the mean is 0.10 below; to make that up, the other half must be 0.10 above.
  const oracle = stepOracle(START_S + 241, 100, 99.9)
  const fair = createFairUp(oracle, 'BTC', START_S)
  const z = (priceUsd: number) => fair({ atMs: (START_S + 271) * 1000, priceUsd, ...vol }).z
  expect(z(100.1)).toBeCloseTo(0, 6)
  expect(z(100.2)).toBeGreaterThan(1)
  expect(z(100)).toBeLessThan(-1)
})

it('is as far from even as a random walk says', () => {
  const fair = createFairUp(stepOracle(Number.MAX_SAFE_INTEGER, 100, 100), 'BTC', START_S)
  // 100 s before the end: 40 s of moves in full, and a minute that counts for a third.
  const { z } = fair({ atMs: (START_S + 200) * 1000, priceUsd: 100.1, ...vol })
  expect(z).toBeCloseTo(0.1 / (100.1 * 1e-4 * Math.sqrt(40 + 20 + 0.01)), 6)
})

it('gives the same whether asked in order or not', () => {
  const oracle = stepOracle(START_S + 250, 100, 100.05)
  const asked = createFairUp(oracle, 'ETH', START_S)
  const moment = (afterS: number) => ({ atMs: (START_S + afterS) * 1000, priceUsd: 100.02, ...vol })
  const inOrder = [-40, 10, 260, 290].map((afterS) => asked(moment(afterS)))
  const back = [290, 260, 10, -40].map((afterS) => asked(moment(afterS))).reverse()
  expect(back).toEqual(inOrder)
})
