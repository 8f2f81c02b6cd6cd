import { describe, expect, it } from 'vitest'
import { chainId, changePercent, claimedUsd, evmAddress, maybePriceUsd, maybeUsd } from './on-chain.ts'

describe('fields of tokens and pools', () => {
  it('writes hexadecimal ids in lower case and leaves the others alone', () => {
    expect(chainId().parse(`0x${'Ab'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`)
    expect(chainId().parse('So11111111111111111111111111111111111111112')).toBe(
      'So11111111111111111111111111111111111111112',
    )
    for (const id of ['', 'x'.repeat(257), 5, null]) expect(chainId().safeParse(id).success).toBe(false)
    expect(evmAddress().parse(`0x${'Ab'.repeat(20)}`)).toBe(`0x${'ab'.repeat(20)}`)
    expect(evmAddress().safeParse(`0x${'ab'.repeat(32)}`).success).toBe(false)
  })

  it('takes a price of nothing as unknown, and refuses what is no price', () => {
    for (const price of ['0', 0, '0.000', '', 'NaN', null, undefined])
      expect(maybePriceUsd().parse(price), String(price)).toBeUndefined()
    expect(maybePriceUsd().parse('1e-30')).toBe(1e-30)
    for (const price of [-1, '-0.5', 1e13, 'Infinity', {}])
      expect(maybePriceUsd().safeParse(price).success, String(price)).toBe(false)
  })

  it('keeps an empty pool, and forgets a claim beyond all money', () => {
    expect(maybeUsd().parse('0')).toBe(0)
    expect(maybeUsd().safeParse('1e16').success).toBe(false)
    expect(claimedUsd().parse('1e16')).toBeUndefined()
    expect(changePercent().parse('a lot')).toBeUndefined()
    expect(changePercent().parse('-99.9')).toBe(-99.9)
  })
})
