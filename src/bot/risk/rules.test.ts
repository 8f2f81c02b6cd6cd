import { describe, expect, test } from 'vitest'
import { usd } from '../../core/money.ts'
import { LOOK_START_S, type LookChanges, lookWith } from '../../testing/bot/look.ts'
import { chooseOrder } from '../round/choose-order.ts'
import { RISK_RULES } from './rules.ts'
import { whyNoMoney } from './why-not.ts'

const E6 = 1_000_000n
const AT_MS = lookWith().atMs
const START_MS = LOOK_START_S * 1000
/** The data are as new as the moment, so that only the time within the window is asked about. */
const at = (atMs: number): LookChanges => ({
  atMs,
  signal: { asOfMs: atMs },
  market: { asOfMs: atMs, marketAsOfMs: atMs },
})
const contrarian = { contrarian: { enabled: true, maxConfidence: 0.52 } }
const cheapDown = { downAsks: [[0.4, 100]], downBids: [[0.39, 100]] } as const

/** Looks that pass, and for each one that does not by the smallest step. */
const CASES: Record<string, readonly [what: string, inside: LookChanges, outside: LookChanges][]> = {
  disabled: [['switched off', { config: { enabled: true } }, { config: { enabled: false } }]],
  breaker_open: [
    [
      'open',
      { breaker: { isOpen: false, consecutiveLosses: 0 } },
      { breaker: { isOpen: true, consecutiveLosses: 0 } },
    ],
  ],
  consecutive_losses: [
    [
      'the last one allowed',
      { breaker: { isOpen: false, consecutiveLosses: 7 } },
      { breaker: { isOpen: false, consecutiveLosses: 8 } },
    ],
    [
      'one is the most',
      { breaker: { isOpen: false, consecutiveLosses: 0 }, config: { maxConsecutiveLosses: 1 } },
      { breaker: { isOpen: false, consecutiveLosses: 1 }, config: { maxConsecutiveLosses: 1 } },
    ],
  ],
  trades_per_day: [
    ['the last one', { day: day({ trades: 99 }) }, { day: day({ trades: 100 }) }],
    ['none at all', { config: { maxTradesPerDay: 1 } }, { config: { maxTradesPerDay: 0 } }],
  ],
  daily_loss: [
    ['lost', { day: day({ profitE6: -25n * E6 + 1n }) }, { day: day({ profitE6: -25n * E6 }) }],
    ['at risk', { day: day({ atRiskE6: 25n * E6 - 1n }) }, { day: day({ atRiskE6: 25n * E6 }) }],
    [
      'both together',
      { day: day({ profitE6: -20n * E6, atRiskE6: 5n * E6 - 1n }) },
      { day: day({ profitE6: -20n * E6, atRiskE6: 5n * E6 }) },
    ],
    [
      'at risk after a gain',
      { day: day({ profitE6: 10n * E6, atRiskE6: 35n * E6 - 1n }) },
      { day: day({ profitE6: 10n * E6, atRiskE6: 35n * E6 }) },
    ],
    ['a limit of nothing', {}, { config: { dailyLossLimitUsd: usd('0') } }],
  ],
  obstacle: [
    ['any', { obstacles: [] }, { obstacles: [{ code: 'geoblock', text: 'trading is blocked here' }] }],
  ],
  has_order: [['one', { hasOrder: false }, { hasOrder: true }]],
  no_market: [['none', {}, { market: undefined }]],
  wrong_window: [
    [
      'the next window',
      {},
      { market: { market: { window: { startS: LOOK_START_S + 300, endS: LOOK_START_S + 600 } } } },
    ],
    ['another coin', { market: { market: { coin: 'BTC' } } }, { market: { market: { coin: 'ETH' } } }],
  ],
  market_closed: [
    ['not accepting', {}, { market: { market: { acceptingOrders: false } } }],
    ['closed', {}, { market: { market: { closed: true } } }],
    ['resolved', {}, { market: { market: { outcome: 'UP' } } }],
    ['protocol', { market: { market: { version: 'v1' } } }, { market: { market: { version: 'v2' } } }],
    ['negative risk', {}, { market: { market: { negRisk: true } } }],
    [
      'a fee that is none',
      { market: { market: { fee: { rate: 0.07, exponent: 8 } } } },
      { market: { market: { fee: { rate: 0.07, exponent: 8.5 } } } },
    ],
    ['tick', { market: { market: { tickSize: 0.0001 } } }, { market: { market: { tickSize: 0.00001 } } }],
    ['coarse tick', { market: { market: { tickSize: 0.01 } } }, { market: { market: { tickSize: 0.1 } } }],
  ],
  window_time: [
    ['after the start', at(START_MS + 10_000), at(START_MS + 9_999)],
    ['before the end', at(START_MS + 280_000), at(START_MS + 280_001)],
  ],
  stale_book: [
    ['old', { market: { asOfMs: AT_MS - 2_000 } }, { market: { asOfMs: AT_MS - 2_001 } }],
    ['ahead', { market: { asOfMs: AT_MS + 1_000 } }, { market: { asOfMs: AT_MS + 1_001 } }],
    ['no time', {}, { market: { asOfMs: Number.NaN } }],
  ],
  stale_market: [
    ['old', { market: { marketAsOfMs: AT_MS - 120_000 } }, { market: { marketAsOfMs: AT_MS - 120_001 } }],
  ],
  clock_skew: [
    ['ahead', { skewMs: 1_000 }, { skewMs: 1_001 }],
    ['behind', { skewMs: -1_000 }, { skewMs: -1_001 }],
    ['unknown', { skewMs: 0 }, { skewMs: undefined }],
    ['no number', { skewMs: 0 }, { skewMs: Number.NaN }],
  ],
  cash_unknown: [['unknown', {}, { cashE6: undefined }]],
  no_signal: [
    ['none', {}, { signal: undefined }],
    ['none, but the operator said so', { signal: undefined, bossSignal: 'UP' }, { signal: undefined }],
  ],
  wrong_signal: [
    ['the window before', {}, { signal: { windowStartS: LOOK_START_S - 300 } }],
    ['another coin', {}, { signal: { coin: 'ETH' } }],
  ],
  price_kind: [
    [
      'spot',
      { signal: { priceKind: 'spot' }, market: { market: { resolution: { kind: 'spot', source: '' } } } },
      { signal: { priceKind: 'spot' } },
    ],
    ['something else', {}, { market: { market: { resolution: { kind: 'other', source: '' } } } }],
  ],
  stale_signal: [
    ['old', { signal: { asOfMs: AT_MS - 5_000 } }, { signal: { asOfMs: AT_MS - 5_001 } }],
    ['ahead', { signal: { asOfMs: AT_MS + 1_000 } }, { signal: { asOfMs: AT_MS + 1_001 } }],
  ],
  abstain: [
    ['it does', { signal: { abstain: false } }, { signal: { abstain: true } }],
    [
      'it does, but the operator said so',
      { signal: { abstain: true }, bossSignal: 'UP' },
      { signal: { abstain: true } },
    ],
  ],
  min_confidence: [
    [
      'the least',
      { signal: { probabilityUp: 0.6 }, config: { minConfidence: 0.6 } },
      { signal: { probabilityUp: 0.6 }, config: { minConfidence: 0.6001 } },
    ],
    [
      'the operator said so',
      { config: { minConfidence: 0.9 }, bossSignal: 'UP' },
      { config: { minConfidence: 0.9 } },
    ],
    [
      'the contrarian',
      { ...cheapDown, signal: { probabilityUp: 0.52 }, config: contrarian },
      { ...cheapDown, signal: { probabilityUp: 0.521 }, config: contrarian },
    ],
  ],
}

function day(given: Partial<ReturnType<typeof lookWith>['day']>) {
  return { trades: 0, profitE6: 0n, atRiskE6: 0n, ...given }
}

describe.each(RISK_RULES)('$name', ({ name, stops }) => {
  const cases = CASES[name] ?? []
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))

  test.each(cases)('%s: just inside and just outside', (_, inside, outside) => {
    expect(chooseOrder(lookWith(inside))).toMatchObject({ action: 'buy' })
    expect(chooseOrder(lookWith(outside))).toMatchObject({ action: 'none', reason: name })
  })

  test.each(cases)('%s: by hand', (_, inside, outside) => {
    expect(whyNoMoney(lookWith(inside))).toBeUndefined()
    const objection = whyNoMoney(lookWith(outside))
    if (stops === 'round') return expect(objection).toBeUndefined()
    expect(objection?.reason).toBe(name)
    expect(objection?.text).toMatch(/\w{3}/)
  })

  test.each(cases.filter(([, , { bossSignal }]) => bossSignal === undefined))(
    '%s: with a boss signal',
    (_, __, outside) => {
      const { action } = chooseOrder(lookWith({ ...outside, bossSignal: 'UP' }))
      expect(action).toBe(OF_THE_SIGNAL.has(name) ? 'buy' : 'none')
    },
  )
})

/** The operator's word replaces the signal and nothing else. */
const OF_THE_SIGNAL = new Set([
  'no_signal',
  'wrong_signal',
  'price_kind',
  'stale_signal',
  'abstain',
  'min_confidence',
])

test('no case is of a rule that is not there', () => {
  expect(Object.keys(CASES)).toEqual(RISK_RULES.map(({ name }) => name))
})

test('money comes first: of all that is wrong, the switch is named', () => {
  const everything = lookWith({
    config: { enabled: false },
    breaker: { isOpen: true, consecutiveLosses: 99 },
    signal: undefined,
    market: undefined,
  })
  expect(chooseOrder(everything)).toMatchObject({ action: 'none', reason: 'disabled' })
  expect(whyNoMoney(everything)?.reason).toBe('breaker_open')
})
