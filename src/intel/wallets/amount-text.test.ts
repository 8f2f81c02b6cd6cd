import { describe, expect, test } from 'vitest'
import { createSeeded } from '../../testing/seeded.ts'
import { amountText, worthUsd } from './amount-text.ts'

const MAX = 2n ** 256n - 1n

describe('amounts as text', () => {
  test.each<[bigint, number | undefined, string | undefined]>([
    [0n, 18, '0'],
    [1n, 18, '0.000000000000000001'],
    [1_500_000n, 6, '1.5'],
    [1_000_000n, 6, '1'],
    [999_999n, 6, '0.999999'],
    [42n, 0, '42'],
    [MAX, 0, MAX.toString()],
    [MAX, 77, `1.${MAX.toString().slice(1)}`],
    [1n, 78, undefined],
    [1n, 255, undefined],
    [1n, -1, undefined],
    [1n, 1.5, undefined],
    [1n, undefined, undefined],
  ])('%s units of %s decimals are %s', (units, decimals, text) => {
    expect(amountText(units, decimals)).toBe(text)
  })
  test('lose nothing, however large', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = createSeeded(seed)
      const decimals = random.between(0, 77)
      const units = BigInt(
        `0x${Array.from({ length: random.between(1, 64) }, () => random.below(16).toString(16)).join('')}`,
      )
      const [whole = '', fraction = ''] = (amountText(units, decimals) ?? '').split('.')
      expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(units)
      expect(fraction).not.toMatch(/0$/)
    }
  })
})

describe('worth', () => {
  test.each<[bigint, number | undefined, number | undefined, number | undefined]>([
    [2_500_000n, 6, 1, 2.5],
    [0n, 6, 1, 0],
    [1n, 6, undefined, undefined],
    [1n, undefined, 1, undefined],
    [1n, 78, 1, undefined],
    [MAX, 0, 1, undefined],
    [MAX, 18, 1e12, undefined],
    [10n ** 15n, 0, 1, 1e15],
    [10n ** 15n + 1_000n, 0, 1, undefined],
  ])('%s units of %s decimals at %s are %s dollars', (units, decimals, price, usd) => {
    expect(worthUsd(units, decimals, price)).toBe(usd)
  })
})
