import { describe, expect, test } from 'vitest'
import { COIN, held, quote, SPENDER, UNLIMITED, USDC } from '../../testing/wallets/hand-made-wallets.ts'
import { isUnlimited, toApprovals } from './approvals.ts'
import type { OpenApproval } from './facts/open-approvals.ts'
import type { SpenderKind } from './wallet-analysis.ts'
import { toWealth } from './wealth.ts'

const OTHER = `0x${'77'.repeat(20)}`
const usdc = held({ token: USDC, symbol: 'USDC', decimals: 6, units: 500_000_000n })

function wealthOf(isComplete = true, coinQuote = quote()) {
  const quotes = new Map([
    [USDC, quote({ priceUsd: 1 })],
    [COIN, coinQuote],
  ])
  return toWealth({ wei: 0n, held: { rows: [usdc, held()], isComplete }, quotes, etherPriceUsd: 4_000 })
}
const open = (over: Partial<OpenApproval> = {}): OpenApproval => ({
  token: USDC,
  spender: SPENDER,
  allowance: UNLIMITED,
  isCurrent: true,
  sinceMs: undefined,
  ...over,
})
const read = (
  rows: readonly OpenApproval[],
  kinds: Readonly<Record<string, SpenderKind>> = { [SPENDER]: 'unknown_contract' },
  wealth = wealthOf(),
) =>
  toApprovals({
    open: { rows, isComplete: true },
    wealth,
    spenders: new Map(Object.entries(kinds).map(([address, kind]) => [address, { kind, name: undefined }])),
  })

describe('what a spender can take', () => {
  test.each<[string, bigint, number]>([
    ['everything without a limit', UNLIMITED, 500],
    ['everything up to the balance', 500_000_000n, 500],
    ['the allowance below it', 499_000_000n, 499],
    ['almost nothing', 1n, 0.000001],
  ])('%s', (_, allowance, usd) => {
    expect(read([open({ allowance })])).toMatchObject({ open: [{ atRiskUsd: usd }], atRiskUsd: usd })
  })
  test('nothing of a token that is not held, if all that is held is known', () => {
    const row = open({ token: `0x${'99'.repeat(20)}` })
    expect(read([row]).open[0]?.atRiskUsd).toBe(0)
    expect(read([row], {}, wealthOf(false)).open[0]?.atRiskUsd).toBeUndefined()
  })
  test('nobody can tell without a price, and a scam token is no loss', () => {
    const row = open({ token: COIN })
    expect(read([row], {}, wealthOf(true, quote({ priceUsd: undefined }))).open[0]?.atRiskUsd).toBeUndefined()
    expect(read([row], {}, wealthOf(true, quote({ scamReason: 'bad' }))).open[0]?.atRiskUsd).toBe(0)
  })
  test('two that may take the same token can take it once; those that are vouched for do not count', () => {
    const both = [open(), open({ spender: OTHER, allowance: 100_000_000n })]
    expect(read(both, { [SPENDER]: 'unknown', [OTHER]: 'account' }).atRiskUsd).toBe(500)
    expect(read(both, { [SPENDER]: 'well_known', [OTHER]: 'account' }).atRiskUsd).toBe(100)
    expect(read(both, { [SPENDER]: 'well_known', [OTHER]: 'well_known' }).atRiskUsd).toBe(0)
    expect(read(both, { [SPENDER]: 'named_contract', [OTHER]: 'well_known' }).atRiskUsd).toBe(500)
  })
})

test('only a token with worth, or one that nobody can fake, proves an approval', () => {
  const gone = held({ token: USDC, decimals: 6, units: 0n })
  const drained = toWealth({
    wei: 0n,
    held: { rows: [gone], isComplete: true },
    quotes: new Map(),
    etherPriceUsd: 1,
  })
  const isVerified = (row: OpenApproval, wealth = wealthOf()) =>
    read([row], { [SPENDER]: 'account' }, wealth).open[0]?.isVerified
  expect(isVerified(open())).toBe(true)
  expect(isVerified(open(), drained)).toBe(true)
  const coin = open({ token: COIN })
  expect(isVerified(coin)).toBe(true)
  expect(isVerified(coin, drained)).toBe(false)
  expect(isVerified(coin, wealthOf(false, quote({ priceUsd: undefined })))).toBe(false)
  const claimed = read(
    [coin, open({ spender: OTHER })],
    { [SPENDER]: 'scam', [OTHER]: 'well_known' },
    drained,
  )
  expect(claimed.open.map(({ spender }) => spender)).toEqual([OTHER, SPENDER])
})

test.each<[string, Parameters<typeof held>[0], Parameters<typeof quote>[0] | undefined, boolean, boolean]>([
  ['the explorer has a price', { explorerPriceUsd: 2 }, { priceUsd: undefined }, true, false],
  [
    'the explorer has another price',
    { explorerPriceUsd: 200 },
    { otherLiquidityUsd: undefined },
    true,
    false,
  ],
  ['no market could be asked', {}, { priceUsd: undefined, isAnswered: false }, false, true],
  ['it was not asked for', {}, undefined, false, true],
  ['no check confirms its pools', {}, { otherLiquidityUsd: undefined }, false, true],
  ['nobody has a price', {}, { priceUsd: undefined }, false, false],
  ['few hold it', { holders: 3 }, { otherLiquidityUsd: undefined }, false, false],
  ['the check denies its pools', {}, { otherLiquidityUsd: 1 }, false, false],
])('a held token of unknown worth: %s', (_, over, told, isVerified, mayCount) => {
  const wealth = toWealth({
    wei: 0n,
    held: { rows: [held(over)], isComplete: true },
    quotes: new Map(told ? [[COIN, quote(told)]] : []),
    etherPriceUsd: 1,
  })
  const { open: found } = read([open({ token: COIN })], { [SPENDER]: 'scam' }, wealth)
  expect(found).toMatchObject([{ isVerified, mayCount, atRiskUsd: undefined }])
})

test('the most dangerous come first, and who is not known is not vouched for', () => {
  const kinds: Record<string, SpenderKind> = {}
  const order: SpenderKind[] = ['well_known', 'unknown_contract', 'account', 'scam']
  const rows = order.map((kind, i) => {
    const spender = `0x${String(i).padStart(40, '0')}`
    kinds[spender] = kind
    return open({ spender })
  })
  expect(read(rows, kinds).open.map(({ spenderKind }) => spenderKind)).toEqual(order.toReversed())
  expect(read([open()], {}).open[0]?.spenderKind).toBe('unknown')
})

test('what counts as no limit', () => {
  expect([2n ** 256n - 1n, 2n ** 160n - 1n, 2n ** 96n - 1n].every(isUnlimited)).toBe(true)
  expect(isUnlimited(2n ** 96n - 2n)).toBe(false)
})
