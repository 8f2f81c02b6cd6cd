import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../core/time/time.ts'
import { powersAre, soundFigures, TOKEN } from '../../../testing/tokens/hand-made-tokens.ts'
import type {
  HoneypotVerdict,
  TokenFigures,
  TokenHolders,
  TokenMarket,
  TokenTaxes,
  Told,
} from '../token-analysis.ts'
import { POWERS } from '../token-analysis.ts'
import { rateRisk } from './rate-risk.ts'

const sound = soundFigures()
const told = <T>(value: T): Told<T> => ({ value, source: 'goplus' })
const market = (over: Partial<TokenMarket>): TokenFigures => ({
  ...sound,
  market: { ...sound.market, ...over },
})
const holders = (over: Partial<TokenHolders>): TokenFigures => ({
  ...sound,
  holders: { ...sound.holders, ...over },
})
const taxes = (over: Partial<TokenTaxes>): TokenFigures => ({ ...sound, taxes: { ...sound.taxes, ...over } })
const powers = (over: Partial<TokenFigures['powers']>): TokenFigures => ({
  ...sound,
  powers: { ...sound.powers, ...over },
})
const honeypot = (over: Partial<HoneypotVerdict>): TokenFigures => ({
  ...sound,
  honeypot: { ...sound.honeypot, ...over },
})
const codesOf = (figures: TokenFigures) =>
  rateRisk(figures).reasons.map(({ code, severity }) => `${code} ${severity}`)

test('a token about which everything is known and nothing is bad is rated low, without any reason', () => {
  expect(rateRisk(sound)).toEqual({ rating: 'low', reasons: [] })
})

describe('each bound belongs to the worse side', () => {
  test.each<[string, TokenFigures, string[]]>([
    ['a sell tax of 50 %', taxes({ sell: told(0.5) }), ['sell_tax critical']],
    ['just below it', taxes({ sell: told(0.4999) }), ['sell_tax high']],
    ['a buy tax of 15 %', taxes({ buy: told(0.15) }), ['buy_tax high']],
    ['just below it', taxes({ buy: told(0.1499) }), ['buy_tax medium']],
    ['a transfer tax of 5 %', taxes({ transfer: told(0.05) }), ['transfer_tax medium']],
    ['just below it', taxes({ transfer: told(0.0499) }), ['transfer_tax low']],
    ['half a percent', taxes({ sell: told(0.005) }), ['sell_tax low']],
    ['less than that', taxes({ sell: told(0.0049) }), []],
    ['an unknown tax', taxes({ sell: undefined }), ['tax_unknown medium']],
    ['an unknown transfer tax', taxes({ transfer: undefined }), []],
    ['drained pools', market({ liquidityUsd: 99.99, fdvUsd: undefined }), ['low_liquidity critical']],
    ['$100', market({ liquidityUsd: 100, fdvUsd: undefined }), ['low_liquidity high']],
    ['$9,999', market({ liquidityUsd: 9_999, fdvUsd: undefined }), ['low_liquidity high']],
    ['$10,000', market({ liquidityUsd: 10_000, fdvUsd: undefined }), ['low_liquidity medium']],
    ['$100,000', market({ liquidityUsd: 100_000, fdvUsd: undefined }), []],
    ['unknown liquidity', market({ liquidityUsd: undefined }), ['liquidity_unknown high']],
    ['a day without a second', market({ ageMs: DAY_MS - 1_000 }), ['young high']],
    ['a day', market({ ageMs: DAY_MS }), ['young medium']],
    ['a week', market({ ageMs: 7 * DAY_MS }), []],
    ['an unknown age', market({ ageMs: undefined }), ['age_unknown high']],
    ['a fall of 90 %', market({ change: { ...sound.market.change, h24: -90 } }), ['collapsed critical']],
    ['of 89.9 %', market({ change: { ...sound.market.change, h24: -89.9 } }), ['collapsed high']],
    ['of 40 %', market({ change: { ...sound.market.change, h24: -40 } }), ['collapsed medium']],
    ['of 39.9 %', market({ change: { ...sound.market.change, h24: -39.9 } }), []],
    ['a thousand times the liquidity', market({ fdvUsd: 2e9 }), ['thin_value high']],
    ['two hundred times', market({ fdvUsd: 4e8 }), ['thin_value medium']],
    ['less', market({ fdvUsd: 3.99e8 }), []],
    ['ten buys for a sell', market({ buys24h: 30, sells24h: 3 }), ['few_sells high']],
    ['fewer', market({ buys24h: 30, sells24h: 4 }), ['few_sells medium']],
    ['too few to tell', market({ buys24h: 29, sells24h: 0 }), []],
    ['no sell at all', market({ buys24h: 30, sells24h: 0 }), ['few_sells high']],
    ['ten that hold half', holders({ top10Share: told(0.5) }), ['top10 high']],
    ['less than that', holders({ top10Share: told(0.499) }), ['top10 medium']],
    ['less than 30 %', holders({ top10Share: told(0.299) }), []],
    [
      'one that holds a fifth',
      holders({ largest: told({ address: '0x1', share: 0.2 }) }),
      ['one_holder high'],
    ],
    ['a tenth', holders({ largest: told({ address: '0x1', share: 0.1 }) }), ['one_holder medium']],
    ['contracts with half', holders({ contractShare: told(0.5) }), ['unknown_contracts high']],
    ['less than that', holders({ contractShare: told(0.499) }), ['unknown_contracts medium']],
    ['less than a fifth', holders({ contractShare: told(0.199) }), []],
    ['a creator with a fifth', holders({ creatorShare: told(0.2) }), ['creator_holds high']],
    ['99 holders', holders({ count: told(99) }), ['few_holders medium']],
    ['100 holders', holders({ count: told(100) }), []],
    ['unknown holders', holders({ top10Share: undefined, largest: undefined }), ['holders_unknown medium']],
    [
      'liquidity of an old token that is not locked',
      holders({ lockedLiquidityShare: told(0.49) }),
      ['liquidity_not_locked low'],
    ],
    ['half of it locked', holders({ lockedLiquidityShare: told(0.5) }), []],
    ['a lock that is not known', holders({ lockedLiquidityShare: undefined }), ['lock_unknown low']],
  ])('%s', (_, figures, expected) => {
    expect(codesOf(figures)).toEqual(expected)
  })

  test('an unlocked pool weighs more while it is younger than thirty days', () => {
    const young = {
      ...holders({ lockedLiquidityShare: told(0) }),
      market: market({ ageMs: 30 * DAY_MS - 1 }).market,
    }
    expect(codesOf(young)).toContain('liquidity_not_locked medium')
  })
})

describe('honeypots', () => {
  test('one source that says yes is enough, and the dispute is told', () => {
    const disputed = honeypot({ verdict: 'yes', by: ['goplus'], isDisputed: true })
    expect(rateRisk(disputed)).toMatchObject({
      rating: 'critical',
      reasons: [{ code: 'honeypot', source: 'goplus' }],
    })
  })
  test('nobody can tell: high, because unknown is not safe', () => {
    expect(codesOf(honeypot({ verdict: 'unknown', by: [], told: [] }))).toEqual(['honeypot_unknown high'])
  })
  test('a single source allows no better than medium', () => {
    expect(codesOf(honeypot({ by: ['goplus'] }))).toEqual(['honeypot_one_source medium'])
  })
})

describe('powers', () => {
  test.each(POWERS)('%s alone makes the rating worse', (power) => {
    const { rating, reasons } = rateRisk(powers({ [power]: told(true), owner: told({ address: '0x1' }) }))
    expect(reasons).toHaveLength(1)
    expect(rating).not.toBe('low')
  })
  test('a famous issuer keeps its powers and is rated low', () => {
    const famous = powers({ ...powersAre(told(true)), isTrusted: true })
    expect(rateRisk(famous)).toMatchObject({ rating: 'low' })
    expect(rateRisk(famous).reasons).toHaveLength(POWERS.length)
  })
  test('what only the owner can do weighs less once he is gone for good', () => {
    const pause = { canPauseTransfers: told(true) }
    expect(codesOf(powers(pause))).toEqual(['can_pause_transfers medium'])
    expect(codesOf(powers({ ...pause, owner: undefined }))).toEqual(['can_pause_transfers high'])
    expect(codesOf(powers({ ...pause, canTakeBackOwnership: told(true) })).toSorted()).toEqual([
      'can_pause_transfers high',
      'can_take_back_ownership high',
    ])
    expect(codesOf(powers({ ...pause, canTakeBackOwnership: undefined }))).toEqual([
      'can_pause_transfers high',
      'powers_unknown medium',
    ])
  })
  test('that more can be made weighs less where it could have been abused for long', () => {
    const mint = powers({ canMint: told(true), owner: told({ address: '0x1' }) })
    const at = (over: Partial<TokenMarket>) => codesOf({ ...mint, market: { ...mint.market, ...over } })
    expect(at({ ageMs: 180 * DAY_MS, liquidityUsd: 1_000_000 })).toEqual(['can_mint medium'])
    expect(at({ ageMs: 180 * DAY_MS - 1 })).toEqual(['can_mint high'])
    expect(at({ liquidityUsd: 999_999 })).toEqual(['can_mint high'])
    expect(at({ ageMs: undefined }).toSorted()).toEqual(['age_unknown high', 'can_mint high'])
  })
  test('without the source of powers the rating is medium at best', () => {
    expect(codesOf(powers({ ...powersAre(undefined), owner: undefined }))).toEqual(['powers_unknown medium'])
  })
})

test('without any risk source the rating is high at best', () => {
  const blind = {
    ...powers({ ...powersAre(undefined), owner: undefined }),
    ...{
      honeypot: honeypot({ verdict: 'unknown', by: [] }).honeypot,
      taxes: taxes({ buy: undefined, sell: undefined }).taxes,
    },
  }
  expect(rateRisk(blind).rating).toBe('high')
})

test('reports of a risk source, and borrowed names, are critical', () => {
  expect(codesOf({ ...sound, reports: [{ code: 'airdrop_scam', source: 'goplus' }] })).toEqual([
    'airdrop_scam critical',
  ])
  expect(codesOf({ ...sound, reports: [{ code: 'more_than_supply', source: 'goplus' }] })).toEqual([
    'more_than_supply critical',
  ])
  expect(codesOf({ ...sound, reports: [{ code: 'creator_made_honeypots', source: 'goplus' }] })).toEqual([
    'creator_made_honeypots high',
  ])
  const fake = { ...sound, identity: { ...sound.identity, symbol: 'USDС' } }
  expect(rateRisk(fake).reasons).toMatchObject([
    { code: 'imitation', severity: 'critical', evidence: `contract ${TOKEN}` },
  ])
})

test('the worst reason stands first', () => {
  const bad = { ...taxes({ sell: told(0.06) }), market: market({ liquidityUsd: 50 }).market }
  expect(rateRisk(bad).reasons.map(({ severity }) => severity)).toEqual(['critical', 'high', 'medium'])
})

test('a name that speaks to models is critical', () => {
  const hostile = {
    ...sound,
    identity: { ...sound.identity, name: undefined, symbol: undefined, isWithheld: true },
  }
  expect(codesOf(hostile)).toEqual(['hostile_name critical'])
})
