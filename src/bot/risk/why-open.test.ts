import { describe, expect, test } from 'vitest'
import { usd } from '../../core/money.ts'
import { DAY_MS } from '../../core/time/time.ts'
import type { TradeRow } from '../../ledger/ports/bot-book.ts'
import { sampleTrade } from '../../testing/bot/sample-order.ts'
import { losingRun } from './losing-run.ts'
import { whyOpen } from './why-open.ts'

const START_S = 1_767_614_400
const NOW_MS = (START_S + 3_600) * 1000
const limits = { maxConsecutiveLosses: 3, dailyLossLimitUsd: usd('1000') }
/** One after another: `-` lost, `0` gained nothing, `+` won. */
const tradesOf = (results: string) =>
  [...results].map((result, index) => {
    const profitE6 = result === '+' ? 1_000_000n : result === '0' ? 0n : -1_000_000n
    return sampleTrade({
      conditionId: `0x${index}`,
      windowStartS: START_S + 300 * index,
      resolvedMs: (START_S + 300 * index + 360) * 1000,
      profitE6,
      roundProfitE6: profitE6,
      breakerSeq: index,
    })
  })

describe('losses in a row', () => {
  test.each([
    ['', 0],
    ['-', 1],
    ['--', 2],
    ['---', 3],
    ['--+', 0],
    ['--+-', 1],
    ['-0-', 3],
    ['+++', 0],
  ])('%j are %d', (results, count) => {
    expect(losingRun(tradesOf(results), 'paper', 0)).toBe(count)
    expect(losingRun(tradesOf(results).reverse(), 'paper', 0)).toBe(count)
    expect(losingRun(tradesOf(results), 'polymarket', 0)).toBe(0)
    expect(whyOpen(tradesOf(results), 'paper', 0, limits, NOW_MS) !== undefined).toBe(count >= 3)
  })

  test('those before the reset, of the operator, and of fills that all failed do not count', () => {
    const trades = tradesOf('---')
    expect(losingRun(trades, 'paper', 2)).toBe(1)
    const none = { roundProfitE6: undefined, windowStartS: START_S + 900 }
    expect(losingRun([...trades, sampleTrade({ ...none, origin: 'operator' })], 'paper', 0)).toBe(3)
    expect(losingRun([...trades, sampleTrade({ ...none, boughtSharesE6: 0n })], 'paper', 0)).toBe(3)
  })

  test('what was traded by hand in the window neither ends a losing run nor begins one', () => {
    const saved = {
      origin: 'mixed',
      profitE6: 1_000_000n,
      roundProfitE6: -1n,
      windowStartS: START_S + 900,
    } as const
    expect(losingRun([...tradesOf('--'), sampleTrade(saved)], 'paper', 0)).toBe(3)
    const spoilt = { ...saved, profitE6: -1_000_000n, roundProfitE6: 1n }
    expect(losingRun([...tradesOf('--'), sampleTrade(spoilt)], 'paper', 0)).toBe(0)
  })
})

test('a clock that was set back hides no loss: neither a reset nor a win that is dated later', () => {
  const future = { resolvedMs: NOW_MS + 3_600_000 }
  const [won, ...lost] = tradesOf('+---')
  expect(losingRun([{ ...won, ...future } as TradeRow, ...lost], 'paper', 0)).toBe(3)
})

describe('the loss of a day', () => {
  const daily = { maxConsecutiveLosses: 100, dailyLossLimitUsd: usd('2') }
  test.each([
    ['-', false],
    ['--', true],
    ['--+', false],
    ['+---', true],
    ['0', false],
  ])('%j opens: %s', (results, isOpen) => {
    expect(whyOpen(tradesOf(results), 'paper', 0, daily, NOW_MS) !== undefined).toBe(isOpen)
  })

  test('it names broker, loss and limit', () => {
    expect(whyOpen(tradesOf('--'), 'paper', 0, daily, NOW_MS)).toBe(
      'paper lost 2 USD today, and the limit is 2',
    )
  })

  test('what was lost yesterday is no loss of today', () => {
    const [first, second] = tradesOf('--')
    const today = { ...second, windowStartS: START_S + DAY_MS / 1000 } as TradeRow
    expect(whyOpen([first as TradeRow, today], 'paper', 0, daily, NOW_MS + DAY_MS)).toBeUndefined()
  })

  test('what was lost longer ago than a window may resolve is not looked at', () => {
    expect(whyOpen(tradesOf('---'), 'paper', 0, daily, NOW_MS + 2 * DAY_MS)).toContain('on 2026-01-05')
    expect(whyOpen(tradesOf('---'), 'paper', 0, daily, NOW_MS + 3 * DAY_MS)).toBeUndefined()
  })

  test.each([1, 2])(
    'losses that are found after their day has ended count, whenever the outcome was told, %d days later',
    (days) => {
      const [first, ...others] = tradesOf('--')
      const atMs = Date.UTC(2026, 0, 5 + days, 0, 1)
      for (const resolvedMs of [Date.UTC(2026, 0, 6) - 1, Date.UTC(2026, 0, 6)]) {
        const late = { ...first, resolvedMs } as TradeRow
        expect(whyOpen([late, ...others], 'paper', 0, daily, atMs)).toBe(
          'paper lost 2 USD on 2026-01-05, and the limit is 2',
        )
        expect(whyOpen([late, ...others], 'paper', 2, daily, atMs)).toBeUndefined()
      }
    },
  )

  test('with a limit of nothing, a day that ends even opens nothing', () => {
    const none = { ...daily, dailyLossLimitUsd: usd('0') }
    expect(whyOpen(tradesOf('+-'), 'paper', 0, none, NOW_MS)).toBeUndefined()
  })

  test('after a reset it takes a new loss, which counts with those before', () => {
    const trades = tradesOf('---')
    expect(whyOpen(trades, 'paper', 3, daily, NOW_MS)).toBeUndefined()
    expect(whyOpen(trades, 'paper', 2, daily, NOW_MS)).toContain('lost 3 USD')
  })

  test('the accounts are counted apart', () => {
    const [first, second] = tradesOf('--')
    const trades = [first, { ...second, broker: 'polymarket' }] as ReturnType<typeof tradesOf>
    expect(whyOpen(trades, 'paper', 0, daily, NOW_MS)).toBeUndefined()
  })

  test('what one account lost does not stop the other', () => {
    expect(whyOpen(tradesOf('--'), 'polymarket', 0, daily, NOW_MS)).toBeUndefined()
    expect(whyOpen(tradesOf('---'), 'polymarket', 0, limits, NOW_MS)).toBeUndefined()
  })
})
