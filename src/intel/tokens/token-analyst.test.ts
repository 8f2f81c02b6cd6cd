import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { MINUTE_MS, SECOND_MS } from '../../core/time/time.ts'
import {
  dexPair,
  security,
  simulation,
  TOKEN,
  TOKENS_NOON_MS,
  tokenPorts,
} from '../../testing/tokens/hand-made-tokens.ts'
import { UpstreamError, type UpstreamFault } from '../../upstreams/upstream.ts'
import { createTokenFacts, FACTS_WAIT_MS } from './facts/token-facts.ts'
import type { TokenPorts } from './facts/token-ports.ts'
import { createTokenAnalyst } from './token-analyst.ts'

const failing = (fault: UpstreamFault) => () => Promise.reject(new UpstreamError(fault, 'no answer'))
const down = failing('down')
const never = () => new Promise<never>(() => {})

function startAnalyst(over: Partial<TokenPorts> = {}) {
  const clock = createManualClock(TOKENS_NOON_MS)
  const facts = createTokenFacts({ ports: tokenPorts(over), clock, random: () => 0.5 })
  return { clock, analyst: createTokenAnalyst({ facts }) }
}

test('six sources make one analysis', async () => {
  const analysis = await startAnalyst().analyst.analyse(TOKEN.toUpperCase().replace('0X', '0x'))
  expect(analysis).toMatchObject({
    address: TOKEN,
    identity: { name: 'Coffee', decimals: 18 },
    market: { priceUsd: 1.5, pools: 1 },
    honeypot: { verdict: 'no', by: ['honeypot.is', 'goplus'] },
    risk: { rating: 'low' },
    score: { confidence: 1 },
    asOfMs: TOKENS_NOON_MS,
  })
  expect(Object.values(analysis.parts).map(({ status }) => status)).toEqual(Array(6).fill('fresh'))
})

describe('sources that are silent', () => {
  test.each<[string, Partial<TokenPorts>, string, number]>([
    ['GoPlus', { security: down }, 'medium', 0.69],
    ['honeypot.is', { simulation: down }, 'medium', 0.9],
    ['Blockscout', { holders: down }, 'low', 1],
    ['the node', { contract: down }, 'low', 1],
    ['GeckoTerminal', { geckoPrice: down }, 'low', 1],
    ['DexScreener', { pairs: down }, 'high', 0.9],
  ])('%s', async (_, over, rating, confidence) => {
    const analysis = await startAnalyst(over).analyst.analyse(TOKEN)
    expect(analysis.risk.rating).toBe(rating)
    expect(analysis.score.confidence).toBeCloseTo(confidence, 2)
    const missing = Object.values(analysis.parts).filter(({ status }) => status === 'missing')
    expect(missing.map(({ reason }) => reason)).toEqual(
      Object.keys(over).map(() => 'the source does not answer'),
    )
  })
  test('no market anywhere is 503 and not charged', async () => {
    const { analyst } = startAnalyst({ pairs: down, geckoPrice: down })
    await expect(analyst.analyse(TOKEN)).rejects.toMatchObject({ code: 'upstream_unavailable' })
  })
  const unknownHere = async () => undefined
  test.each<[string, Partial<TokenPorts>]>([
    ['both down', { security: down, simulation: down }],
    ['one limited, one malformed', { security: failing('busy'), simulation: failing('malformed') }],
    ['both refuse', { security: failing('refused'), simulation: failing('refused') }],
  ])('no risk source that could answer is 503 and not charged: %s', async (_, over) => {
    await expect(startAnalyst(over).analyst.analyse(TOKEN)).rejects.toMatchObject({
      code: 'upstream_unavailable',
      message: expect.stringContaining('GoPlus'),
    })
  })
  test('risk sources that are late are 503 now, and there for the next request', async () => {
    const late = <T>(value: T) => {
      const { promise, resolve } = Promise.withResolvers<T>()
      return { read: () => promise, answer: () => resolve(value) }
    }
    const [slow, slower] = [late(security()), late(simulation())]
    const { clock, analyst } = startAnalyst({ security: slow.read, simulation: slower.read })
    const analysing = expect(analyst.analyse(TOKEN)).rejects.toMatchObject({ code: 'upstream_unavailable' })
    await flush()
    clock.advance(FACTS_WAIT_MS)
    await analysing
    slow.answer()
    slower.answer()
    await flush()
    expect((await analyst.analyse(TOKEN)).risk.rating).toBe('low')
  })
  test.each<[string, Partial<TokenPorts>]>([
    ['both', { security: unknownHere, simulation: unknownHere }],
    ['one, and the other is down', { security: unknownHere, simulation: down }],
    ['the other, and the first is down', { security: down, simulation: unknownHere }],
  ])('a token that risk sources say they do not know is sold, and marked: %s', async (_, over) => {
    const { risk, honeypot, score } = await startAnalyst(over).analyst.analyse(TOKEN)
    expect(risk.rating).toBe('high')
    expect(honeypot.verdict).toBe('unknown')
    expect(score).toMatchObject({ cap: 45, confidence: 0.45 })
  })
  test('everything down is 503', async () => {
    const { analyst } = startAnalyst({
      pairs: down,
      geckoPrice: down,
      security: down,
      simulation: down,
      holders: down,
      contract: down,
    })
    await expect(analyst.analyse(TOKEN)).rejects.toMatchObject({ code: 'upstream_unavailable' })
  })
  test('one that hangs is left out after the wait, and the others are not', async () => {
    const { clock, analyst } = startAnalyst({ simulation: never, holders: never })
    const analysing = analyst.analyse(TOKEN)
    await flush()
    clock.advance(FACTS_WAIT_MS)
    const { parts, market } = await analysing
    expect(parts['honeypot.is'].status).toBe('missing')
    expect(parts.blockscout.status).toBe('missing')
    expect(market.priceUsd).toBe(1.5)
  })
  test('a source that does not have the token says so', async () => {
    const { parts } = await startAnalyst({ security: async () => undefined }).analyst.analyse(TOKEN)
    expect(parts.goplus).toEqual({
      source: 'goplus',
      status: 'missing',
      reason: 'the source does not have it',
      isDenied: true,
    })
  })
})

test('a contract that holds nearly all is not a good sign', async () => {
  const held = { address: `0x${'5'.repeat(40)}`, share: 0.95, isContract: true, isLocked: undefined }
  const { analyst } = startAnalyst({ holders: async () => ({ count: 25_000, holders: [held] }) })
  const { risk, score } = await analyst.analyse(TOKEN)
  expect(risk).toMatchObject({ rating: 'high', reasons: [{ code: 'unknown_contracts' }] })
  expect(score.value).toBe(45)
})

test('a token without pools is one that cannot be sold: critical, and no price', async () => {
  const { analyst } = startAnalyst({ pairs: async () => [], geckoPrice: async () => undefined })
  const analysis = await analyst.analyse(TOKEN)
  expect(analysis.market).toMatchObject({ priceUsd: undefined, liquidityUsd: 0, pools: 0 })
  expect(analysis.risk).toMatchObject({
    rating: 'critical',
    reasons: [
      { code: 'low_liquidity' },
      { code: 'age_unknown' },
      { code: 'unknown_contracts' },
      { code: 'change_unknown' },
    ],
  })
})

test('the symbol that any source tells is looked at', async () => {
  const named = { name: 'Coin', symbol: 'USDC' }
  const ofPools = startAnalyst({ pairs: async () => [dexPair({ baseToken: { address: TOKEN, ...named } })] })
  const ofGoPlus = startAnalyst({ security: async () => security({ token_symbol: 'USDC' }) })
  for (const { analyst } of [ofPools, ofGoPlus]) {
    const { identity, risk } = await analyst.analyse(TOKEN)
    expect(identity.symbol).toBe('CUP')
    expect(risk).toMatchObject({ rating: 'critical', reasons: [{ code: 'imitation' }] })
  }
})

test('the state is the same until a fact has to be read anew', async () => {
  const { clock, analyst } = startAnalyst()
  const before = analyst.state(TOKEN)
  expect(analyst.state(TOKEN)).toBe(before)
  clock.advance(SECOND_MS)
  expect(analyst.state(TOKEN)).not.toBe(before)
  await analyst.analyse(TOKEN)
  const state = analyst.state(TOKEN)
  clock.advance(20 * SECOND_MS)
  expect(analyst.state(TOKEN)).toBe(state)
  clock.advance(1)
  const aged = analyst.state(TOKEN)
  expect(aged).not.toBe(state)
  clock.advance(SECOND_MS)
  expect(analyst.state(TOKEN)).not.toBe(aged)
})

test('crowds cost one request for each source, and a market is not older than its bound', async () => {
  let asked = 0
  const { clock, analyst } = startAnalyst({
    pairs: async () => {
      asked++
      return [dexPair()]
    },
  })
  await Promise.all(Array.from({ length: 50 }, () => analyst.analyse(TOKEN)))
  expect(asked).toBe(1)
  clock.advance(MINUTE_MS)
  expect((await analyst.analyse(TOKEN)).asOfMs).toBe(clock.now())
  expect(asked).toBe(2)
})

const flush = async () => {
  for (let i = 0; i < 20; i++) await Promise.resolve()
}
