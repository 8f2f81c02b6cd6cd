import { describe, expect, test } from 'vitest'
import { usd } from '../../core/money.ts'
import { lookWith } from '../../testing/bot/look.ts'
import { chooseOrder } from './choose-order.ts'
import type { Choice } from './look.ts'

const E6 = 1_000_000n

const bought = (choice: Choice) => {
  if (choice.action !== 'buy') throw new Error(`not bought: ${choice.reason} ${JSON.stringify(choice.facts)}`)
  return choice
}

describe('the side', () => {
  const down = { probabilityUp: 0.4 }
  const indicators = lookWith().signal?.indicators as NonNullable<
    ReturnType<typeof lookWith>['signal']
  >['indicators']

  test('fused follows the probability', () => {
    expect(bought(chooseOrder(lookWith()))).toMatchObject({ outcome: 'UP', reason: 'fused' })
    expect(bought(chooseOrder(lookWith({ signal: down })))).toMatchObject({ outcome: 'DOWN', priceE4: 5_200 })
  })

  test.each([
    ['momentum', { rateOfChange: 0.02, tickMomentum: 0.1 }, 'momentum'],
    ['momentum', { rateOfChange: 0.019 }, 'no_momentum'],
    ['momentum', { tickMomentum: 0.09 }, 'no_momentum'],
    ['momentum', { rateOfChange: -1, tickMomentum: -1 }, 'no_momentum'],
    ['momentum', { rateOfChange: undefined }, 'indicator_unknown'],
    ['momentum', { tickMomentum: undefined }, 'indicator_unknown'],
    ['mean_reversion', { rsi: 30, bollinger: 0.5 }, 'mean_reversion'],
    ['mean_reversion', { rsi: 50, bollinger: 0 }, 'mean_reversion'],
    ['mean_reversion', { rsi: 30.1, bollinger: 0.01 }, 'not_stretched'],
    ['mean_reversion', { rsi: 90, bollinger: 2 }, 'not_stretched'],
    ['mean_reversion', { rsi: undefined }, 'indicator_unknown'],
    ['mean_reversion', { bollinger: undefined, rsi: 10 }, 'indicator_unknown'],
  ] as const)('%s of UP with %o: %s', (strategy, readings, reason) => {
    const look = lookWith({
      config: { strategy },
      signal: { indicators: { ...indicators, ...readings } },
    })
    expect(chooseOrder(look).reason).toBe(reason)
  })

  test.each([
    ['momentum', { rateOfChange: -0.02, tickMomentum: -0.1 }, 'momentum'],
    ['momentum', { rateOfChange: 0.02, tickMomentum: 0.1 }, 'no_momentum'],
    ['mean_reversion', { rsi: 70, bollinger: 0.5 }, 'mean_reversion'],
    ['mean_reversion', { rsi: 50, bollinger: 1 }, 'mean_reversion'],
    ['mean_reversion', { rsi: 10, bollinger: -1 }, 'not_stretched'],
  ] as const)('%s of DOWN with %o: %s', (strategy, readings, reason) => {
    const signal = { ...down, indicators: { ...indicators, ...readings } }
    expect(chooseOrder(lookWith({ config: { strategy }, signal })).reason).toBe(reason)
  })

  test('contrarian: the other side with its own probability, if it is cheap enough', () => {
    const config = { contrarian: { enabled: true, maxConfidence: 0.55 } }
    const signal = { probabilityUp: 0.55 }
    const cheap = { downAsks: [[0.4, 100]], downBids: [] } as const
    const choice = bought(chooseOrder(lookWith({ config, signal, ...cheap })))
    expect(choice).toMatchObject({ outcome: 'DOWN', reason: 'contrarian', priceE4: 4_100 })
    expect(choice.facts.probability).toBeCloseTo(0.45, 5)
    expect(chooseOrder(lookWith({ config, signal })).reason).toBe('edge')
    const off = { contrarian: { enabled: false, maxConfidence: 0.55 } }
    expect(chooseOrder(lookWith({ config: off, signal, ...cheap }))).toMatchObject({
      facts: { outcome: 'UP' },
    })
  })

  test('the operator forces a direction whatever it costs, within the money', () => {
    const forced = { bossSignal: 'DOWN', downAsks: [[0.98, 1_000]], downBids: [] } as const
    expect(bought(chooseOrder(lookWith(forced)))).toMatchObject({
      outcome: 'DOWN',
      reason: 'boss_signal',
      priceE4: 9_900,
      spendE6: 5n * E6,
    })
    expect(chooseOrder(lookWith({ ...forced, cashE6: E6 })).reason).toBe('cash')
    expect(chooseOrder(lookWith({ ...forced, downAsks: [[0.98, 1]] })).reason).toBe('depth')
  })
})

describe('the size', () => {
  test.each([
    ['size', { config: { sizeUsd: usd('3.999999') } }, 3_990_000n],
    ['cash', { cashE6: 3n * E6, bossSignal: 'UP' }, 2_800_000n],
    ['depth', { asks: [[0.5, 4.03]] }, 2_010_000n],
    // A quarter of (0.6 − 0.527493) / (1 − 0.527493) of the cash, 0.51 / 0.527493 of it without the fee.
    ['kelly', { cashE6: 100n * E6 }, 3_700_000n],
  ] as const)('is bound by %s', (bound, given, spendE6) => {
    expect(bought(chooseOrder(lookWith(given)))).toMatchObject({ spendE6, facts: { bound } })
  })

  test.each([
    ['cash', { cashE6: 1_069_000n, bossSignal: 'UP' }],
    ['depth', { asks: [[0.5, 1.99]] }],
    ['kelly', { cashE6: 25n * E6 }],
  ] as const)('below a dollar is no trade: %s', (reason, given) => {
    expect(chooseOrder(lookWith(given))).toMatchObject({ action: 'none', reason })
  })

  test.each([
    ['nothing is offered', { asks: [] }, 'no_asks'],
    ['dust', { asks: [[0.5, 0.0000001]] }, 'no_asks'],
    ['no price', { asks: [[1, 5]] }, 'no_asks'],
    ['crossed', { asks: [[0.5, 100]], bids: [[0.5, 1]] }, 'book_crossed'],
    [
      'too dear for any edge',
      { asks: [[0.999, 100]], market: { market: { tickSize: 0.001 } } },
      'price_range',
    ],
    [
      'too cheap to be true',
      { asks: [[0.009, 900]], bids: [], market: { market: { tickSize: 0.001 } } },
      'price_range',
    ],
    [
      'an edge of less than a cent',
      { signal: { probabilityUp: 0.5274 }, config: { minConfidence: 0.5 } },
      'edge',
    ],
  ] as const)('%s: no trade', (_, given, reason) => {
    expect(chooseOrder(lookWith(given))).toMatchObject({ action: 'none', reason })
  })

  test('the limit stops where the edge after the fee is a cent', () => {
    const at = (probabilityUp: number, tickSize = 0.001) =>
      bought(
        chooseOrder(
          lookWith({
            signal: { probabilityUp },
            market: { market: { tickSize } },
            config: { minConfidence: 0.5 },
            cashE6: 10_000n * E6,
          }),
        ),
      ).priceE4
    // 0.5 and its fee cost 0.5175, 0.51 and its fee 0.527493.
    expect([at(0.5275), at(0.52849), at(0.53), at(0.5375), at(0.6)]).toEqual([
      5_000, 5_000, 5_020, 5_100, 5_100,
    ])
    expect([at(0.53, 0.01), at(0.5374, 0.01), at(0.5375, 0.01)]).toEqual([5_000, 5_000, 5_100])
  })
})
