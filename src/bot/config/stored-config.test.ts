import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Usd } from '../../core/money.ts'
import { CONFIG_BOUNDS, DEFAULT_CONFIG, STRATEGIES, type TradingConfig } from '../trading-config.ts'
import { faultsOf, parseConfigText, toConfigText } from './stored-config.ts'

const { sizeUsd, dailyLossLimitUsd, maxTradesPerDay, maxConsecutiveLosses } = CONFIG_BOUNDS
const confidence = fc.double({ min: 0.5, max: 1, noNaN: true })
const amount = (bounds: { min: Usd; max: Usd }) => fc.bigInt(bounds).map((value) => value as Usd)

const anyConfig: fc.Arbitrary<TradingConfig> = fc.record({
  simMode: fc.boolean(),
  enabled: fc.boolean(),
  strategy: fc.constantFrom(...STRATEGIES),
  contrarian: fc.record({ enabled: fc.boolean(), maxConfidence: confidence }),
  minConfidence: confidence,
  sizeUsd: amount(sizeUsd),
  maxTradesPerDay: fc.integer(maxTradesPerDay),
  maxConsecutiveLosses: fc.integer(maxConsecutiveLosses),
  dailyLossLimitUsd: amount(dailyLossLimitUsd),
})

test('every possible configuration is read as it was written', () => {
  fc.assert(
    fc.property(anyConfig, (config) => {
      expect(faultsOf(config)).toEqual([])
      expect(parseConfigText(toConfigText(config))).toEqual(config)
    }),
  )
})

test.each([
  ['nothing', ''],
  ['no JSON', '{'],
  ['null', 'null'],
  ['a field less', toConfigText(DEFAULT_CONFIG).replace('"enabled":true,', '')],
  ['a field more', toConfigText(DEFAULT_CONFIG).replace('{', '{"leverage":10,')],
  ['a size beyond its bound', toConfigText(DEFAULT_CONFIG).replace('"sizeUsd":"5"', '"sizeUsd":"50"')],
  ['dollars as a number', toConfigText(DEFAULT_CONFIG).replace('"sizeUsd":"5"', '"sizeUsd":5')],
  ['a negative limit', toConfigText(DEFAULT_CONFIG).replace('"25"', '"-25"')],
])('%s is no configuration', (_, text) => {
  expect(() => parseConfigText(text)).toThrow()
})

test('faults name the field and what it may be', () => {
  expect(faultsOf({ ...DEFAULT_CONFIG, sizeUsd: 9_000_000n as Usd, minConfidence: 0.2 })).toEqual([
    expect.stringContaining('minConfidence'),
    'sizeUsd: must be 1 to 5 dollars',
  ])
})
