import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { COIN, held, tokenReader, USDC, WALLETS_NOON_MS } from '../../../testing/wallets/hand-made-wallets.ts'
import { LATE_REASON } from '../../part.ts'
import type { TokenFactsReader } from '../../tokens/facts/token-facts.ts'
import { createTokenQuotes, MAX_CHECKS, MAX_QUOTES, QUOTES_WAIT_MS, toAsked } from './token-quotes.ts'

const WETH = '0x4200000000000000000000000000000000000006'
const nth = (i: number, digit = '7') => `0x${i.toString(16).padStart(40, digit)}`
const flush = () => new Promise((resolve) => setImmediate(resolve))

describe('whose price is asked for', () => {
  test('ether, well-known tokens, what the explorer values, what many hold', () => {
    const rows = [
      held({ token: nth(1), holders: 5 }),
      held({ token: nth(2), holders: 50 }),
      held({ token: nth(3), explorerPriceUsd: 1 }),
      held({ token: USDC, decimals: 6, units: 1n }),
      held({ token: nth(4), decimals: undefined, holders: 1e6 }),
    ]
    expect(toAsked(rows, [nth(9)])).toEqual([WETH, USDC, nth(3), nth(2), nth(1), nth(9)])
  })
  test('no more than two requests, with room for tokens that passed through', () => {
    const rows = Array.from({ length: 200 }, (_, i) => held({ token: nth(i) }))
    const passing = Array.from({ length: 100 }, (_, i) => nth(i, '8'))
    const asked = toAsked(rows, passing)
    expect([asked.length, new Set(asked).size]).toEqual([MAX_QUOTES, MAX_QUOTES])
    expect(asked.filter((token) => passing.includes(token))).toHaveLength(20)
    expect(toAsked(rows, []).filter((token) => token !== WETH)).toHaveLength(MAX_QUOTES - 1)
  })
})

test('only those that would count most are checked, well-known ones never', async () => {
  const rows = Array.from({ length: 12 }, (_, i) => held({ token: nth(i), units: BigInt(i) * 10n ** 18n }))
  const { readOne } = tokenReader(
    Object.fromEntries(rows.map(({ token }) => [token, { priceUsd: 1, liquidityUsd: 1e6 }])),
  )
  const checked: string[] = []
  const counting = (async (name: 'security', address: string) => {
    if (name === 'security') checked.push(address)
    return readOne(name, address)
  }) as TokenFactsReader['readOne']
  const clock = createManualClock(WALLETS_NOON_MS)
  const usdc = held({ token: USDC, decimals: 6, units: 10n ** 15n })
  await createTokenQuotes({ clock, tokens: { readOne: counting } }).read([...rows, usdc], [])
  expect(checked).toHaveLength(MAX_CHECKS)
  expect(checked.toSorted()).toEqual(
    rows
      .slice(-MAX_CHECKS)
      .map(({ token }) => token)
      .toSorted(),
  )
})

test('GoPlus makes a scam of it in four ways', async () => {
  const clock = createManualClock(WALLETS_NOON_MS)
  const reasonFor = async (found: Record<string, unknown>) => {
    const tokens = tokenReader({ [COIN]: { priceUsd: 5, liquidityUsd: 1e6 } }, { [COIN]: found })
    return (await createTokenQuotes({ clock, tokens }).read([held()], [])).of.get(COIN)?.scamReason
  }
  expect(await reasonFor({})).toBeUndefined()
  expect(await reasonFor({ is_honeypot: '1' })).toMatch(/sold/)
  expect(await reasonFor({ is_airdrop_scam: '1' })).toMatch(/lure/)
  expect(await reasonFor({ is_true_token: '0' })).toMatch(/imitates/)
  expect(await reasonFor({ owner_change_balance: '1' })).toMatch(/take it away/)
})

test('GoPlus tells what else is known of its pools', async () => {
  const clock = createManualClock(WALLETS_NOON_MS)
  const dex = ['1500.5', '500', null].map((liquidity) => ({ name: 'UniswapV3', liquidity, pair: COIN }))
  const tokens = tokenReader({ [COIN]: { priceUsd: 5, liquidityUsd: 1e6 } }, { [COIN]: { dex } })
  const { of } = await createTokenQuotes({ clock, tokens }).read([held()], [])
  expect(of.get(COIN)).toMatchObject({ liquidityUsd: 1e6, otherLiquidityUsd: 2_000.5 })
})

test('a market that hangs costs its time and no more', async () => {
  const clock = createManualClock(WALLETS_NOON_MS)
  const never = (() => new Promise(() => {})) as TokenFactsReader['readOne']
  const reading = createTokenQuotes({ clock, tokens: { readOne: never } }).read([held()], [])
  for (let ms = 0; ms < QUOTES_WAIT_MS; ms += 100) {
    await flush()
    clock.advance(100)
  }
  const { of, part } = await reading
  expect(of.get(COIN)?.priceUsd).toBeUndefined()
  expect(part).toMatchObject({ status: 'missing', reason: LATE_REASON })
})

test('no price because nobody has one differs from no price because nobody could be asked', async () => {
  const clock = createManualClock(WALLETS_NOON_MS)
  const isAnswered = async (tokens: Pick<TokenFactsReader, 'readOne'>) =>
    (await createTokenQuotes({ clock, tokens }).read([held()], [])).of.get(COIN)?.isAnswered
  expect(await isAnswered(tokenReader())).toBe(true)
  const silent = async (source: string) => ({ source, status: 'missing', reason: 'silent' }) as never
  expect(await isAnswered({ readOne: silent })).toBe(false)
})

test('what somebody may take is asked for before what many hold', () => {
  const rows = Array.from({ length: MAX_QUOTES + 1 }, (_, i) =>
    held({ token: `0x${i.toString(16).padStart(40, '0')}`, holders: 1_000 - i }),
  )
  const last = rows.at(-1)?.token ?? ''
  expect(toAsked(rows, [])).not.toContain(last)
  expect(toAsked(rows, [], new Set([last]))[1]).toBe(last)
})
