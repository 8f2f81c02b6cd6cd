import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import { dexPair, TOKEN, TOKENS_NOON_MS, tokenPorts } from '../../testing/tokens/hand-made-tokens.ts'
import { UpstreamError } from '../../upstreams/upstream.ts'
import { createTokenFacts } from './facts/token-facts.ts'
import type { TokenPorts } from './facts/token-ports.ts'
import { createTokenPrices } from './token-price.ts'

const down = () => Promise.reject(new UpstreamError('down', 'no connection'))
const gecko = (liquidityUsd: number | undefined) => async () => ({
  priceUsd: 1.51,
  marketCapUsd: undefined,
  volume24hUsd: undefined,
  change24hPercent: undefined,
  liquidityUsd,
  lastTradeMs: undefined,
})

function startPrices(over: Partial<TokenPorts>) {
  const clock = createManualClock(TOKENS_NOON_MS)
  const facts = createTokenFacts({ ports: tokenPorts(over), clock, random: () => 0.5 })
  return { clock, prices: createTokenPrices({ facts, lookup: { checkExists: async () => {} } }) }
}

test('the source that sees more liquidity is believed', async () => {
  const less = await startPrices({ geckoPrice: gecko(1_999_999) }).prices.price(TOKEN)
  expect(less).toEqual({ priceUsd: 1.5, source: 'dexscreener', asOfMs: TOKENS_NOON_MS })
  const more = await startPrices({ geckoPrice: gecko(2_000_001) }).prices.price(TOKEN)
  expect(more).toEqual({ priceUsd: 1.51, source: 'geckoterminal', asOfMs: TOKENS_NOON_MS })
  const unknown = await startPrices({ geckoPrice: gecko(undefined) }).prices.price(TOKEN)
  expect(unknown?.source).toBe('dexscreener')
})

test('liquidity that only DexScreener sees does not make its price the right one', async () => {
  const doubted = await startPrices({ geckoPrice: gecko(199_999) }).prices.price(TOKEN)
  expect(doubted?.source).toBe('geckoterminal')
  const believed = await startPrices({ geckoPrice: gecko(200_000) }).prices.price(TOKEN)
  expect(believed?.source).toBe('dexscreener')
})

test.each([
  ['3.0301', false],
  ['3.02', true],
  ['0.755', true],
  ['0.7549', false],
])('a price of %s against one of 1.51: sold is %s', async (priceUsd, isSold) => {
  const { prices } = startPrices({
    pairs: async () => [dexPair({ priceUsd })],
    geckoPrice: gecko(1_000_000),
  })
  const asked = prices.price(TOKEN)
  if (isSold) expect((await asked)?.source).toBe('dexscreener')
  else await expect(asked).rejects.toMatchObject({ code: 'upstream_unavailable' })
})

test('one source is enough, none is no price', async () => {
  expect((await startPrices({ pairs: down }).prices.price(TOKEN))?.source).toBe('geckoterminal')
  expect(await startPrices({ pairs: down, geckoPrice: down }).prices.price(TOKEN)).toBeUndefined()
  const unpriced = { pairs: async () => [dexPair({ priceUsd: null })], geckoPrice: async () => undefined }
  expect(await startPrices(unpriced).prices.price(TOKEN)).toBeUndefined()
})

test('a price is read anew before it is a minute old', async () => {
  const { clock, prices } = startPrices({})
  await prices.price(TOKEN)
  const state = prices.priceState(TOKEN)
  clock.advance(20 * SECOND_MS)
  expect(prices.priceState(TOKEN)).toBe(state)
  clock.advance(26 * SECOND_MS)
  expect(prices.priceState(TOKEN)).not.toBe(state)
  expect((await prices.price(TOKEN))?.asOfMs).toBe(clock.now())
})
