import { beforeAll, describe, expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import type { TokenAnalysis } from '../../intel/tokens/token-analysis.ts'
import type { SimToken } from '../../sandbox/tokens/token-world.ts'
import { createSimulatedTokens } from '../../testing/tokens/simulated-tokens.ts'
import { openTokens } from './tokens.ts'

const freely = () => {}

const AT_MS = Date.UTC(2026, 4, 6, 1)
const clock = createManualClock(AT_MS)
const { world, ...parts } = createSimulatedTokens({ seed: 'tokens', atMs: AT_MS, clock })
const open = openTokens({ ...parts, clock, random: () => 0.5 })

/** What waits to be sent together is sent. */
async function passing<T>(waiting: Promise<T>): Promise<T> {
  let isDone = false
  const done = waiting.finally(() => {
    isDone = true
  })
  done.catch(() => {})
  while (!isDone) {
    await new Promise(setImmediate)
    clock.advance(25)
  }
  return done
}

let analyses: readonly { token: SimToken; analysis: TokenAnalysis }[]
beforeAll(async () => {
  const { tokens } = world
  const found = await passing(Promise.all(tokens.map(({ address }) => open.analyst.analyse(address))))
  analyses = tokens.flatMap((token, i) => (found[i] ? [{ token, analysis: found[i] }] : []))
})
const those = (isOne: (token: SimToken) => boolean) => analyses.filter(({ token }) => isOne(token))
const isRugged = ({ ruggedAtMs }: SimToken) => ruggedAtMs !== undefined && ruggedAtMs <= AT_MS

describe('all tokens of the simulated Base', () => {
  test('every source knows every token, and they agree on the price', () => {
    expect(analyses.length).toBeGreaterThan(30)
    for (const { token, analysis } of analyses) {
      expect(analysis.parts.goplus.status, token.symbol).toBe('fresh')
      expect(analysis.parts.blockscout.status, token.symbol).toBe('fresh')
      const priceUsd = world.priceUsd(token.address, AT_MS) ?? Number.NaN
      expect((analysis.market.priceUsd ?? 0) / priceUsd, token.symbol).toBeCloseTo(1, 2)
    }
  })
  test('honeypots, rugs and imitations are critical, with a score of 10 at most', () => {
    const bad = those((token) => token.traits.isHoneypot || isRugged(token))
    expect(bad.length).toBeGreaterThan(3)
    for (const { token, analysis } of bad) {
      expect(analysis.risk.rating, token.symbol).toBe('critical')
      expect(analysis.score.value, token.symbol).toBeLessThanOrEqual(10)
    }
  })
  test('no token with a dangerous trait is rated low, but for money of known issuers', () => {
    const dangerous = those(
      ({ traits }) =>
        traits.sellTax >= 0.05 ||
        traits.buyTax >= 0.05 ||
        traits.canMint ||
        traits.isProxy ||
        traits.hasHiddenOwner ||
        traits.canTakeBackOwnership ||
        traits.canPauseTransfers ||
        traits.canBlacklist ||
        !traits.isOpenSource,
    ).filter(({ analysis }) => !analysis.powers.isTrusted)
    expect(dangerous.length).toBeGreaterThan(8)
    for (const { token, analysis } of dangerous) expect(analysis.risk.rating, token.symbol).not.toBe('low')
  })
  test('sound ones are rated better than all that are dangerous', () => {
    const low = analyses.filter(({ analysis }) => analysis.risk.rating === 'low')
    expect(low.length).toBeGreaterThan(8)
    const worst = Math.min(...low.map(({ analysis }) => analysis.score.value))
    const high = analyses.filter(({ analysis }) => ['high', 'critical'].includes(analysis.risk.rating))
    expect(Math.max(...high.map(({ analysis }) => analysis.score.value))).toBeLessThan(worst)
  })
  test('the honest money of the world is rated low', () => {
    const money = analyses.filter(({ analysis }) => analysis.powers.isTrusted)
    expect(money.map(({ token }) => token.symbol).toSorted()).toEqual(['USDC', 'WETH', 'cbBTC'])
    for (const { analysis } of money) expect(analysis.risk.rating).toBe('low')
  })
})

test('tokens of the world exist, wallets and random addresses do not', async () => {
  const [token] = world.tokens
  const [wallet] = world.wallets
  await passing(open.lookup.checkExists(token?.address ?? '', freely))
  for (const address of [wallet?.address ?? '', `0x${'12'.repeat(20)}`])
    await expect(passing(open.lookup.checkExists(address, freely))).rejects.toMatchObject({
      code: 'unknown_token',
    })
})

test('the price of a contract is that of the world', async () => {
  const token = world.tokens.find(({ symbol }) => symbol === 'OTTER')
  const price = await passing(open.prices.price(token?.address ?? ''))
  const priceUsd = world.priceUsd(token?.address ?? '', AT_MS) ?? Number.NaN
  expect((price?.priceUsd ?? 0) / priceUsd).toBeCloseTo(1, 2)
})

test('ten pools trend, and no honeypot is among the first', async () => {
  await passing(open.start())
  open.stop()
  const pools = open.trending.list().value?.pools ?? []
  expect(pools).toHaveLength(10)
  expect(pools[0]?.score).toBeGreaterThan(50)
  for (const { token, score, marks } of pools) {
    const isHoneypot = world.token(token.address)?.traits.isHoneypot ?? false
    expect(marks.includes('honeypot')).toBe(isHoneypot)
    if (isHoneypot) expect(score).toBe(0)
  }
})
