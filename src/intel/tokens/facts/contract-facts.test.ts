import { expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { TOKEN, TOKENS_NOON_MS } from '../../../testing/tokens/hand-made-tokens.ts'
import { createContractFacts, createTokenCheck } from './contract-facts.ts'

const SAID = { name: 'Coffee', symbol: 'CUP', decimals: 6, totalSupply: 1_500_000n }
const factsOf = (over: Partial<Record<keyof typeof SAID, unknown>>) =>
  createContractFacts({ metadata: async () => ({ ...SAID, ...over }) as typeof SAID })(TOKEN)

test('the supply is in whole tokens', async () => {
  expect(await factsOf({})).toEqual({ name: 'Coffee', symbol: 'CUP', decimals: 6, totalSupply: 1.5 })
  expect((await factsOf({ totalSupply: 2n ** 256n - 1n, decimals: 0 }))?.totalSupply).toBeCloseTo(
    1.157920892e77,
    -70,
  )
})
test('what has no supply is no token', async () => {
  expect(await factsOf({ totalSupply: undefined })).toBeUndefined()
})
test('without decimals the supply is unknown', async () => {
  expect(await factsOf({ decimals: undefined })).toMatchObject({ totalSupply: undefined })
})

test('a flood of addresses is a handful of requests to the node', async () => {
  const clock = createManualClock(TOKENS_NOON_MS)
  let requests = 0
  const isToken = createTokenCheck({
    clock,
    balances: async (_, tokens) => {
      requests++
      return tokens.map((token) => (token === TOKEN ? 0n : undefined))
    },
  })
  const flood = Array.from({ length: 199 }, (_, i) => isToken(`0x${String(i).padStart(40, '0')}`))
  const real = isToken(TOKEN)
  clock.advance(200)
  expect((await Promise.all(flood)).some(Boolean)).toBe(false)
  expect(await real).toBe(true)
  expect(requests).toBe(2)
  // Also where they come one after the other.
  const stream = Array.from({ length: 20 }, (_, i) => {
    clock.advance(50)
    return isToken(`0x${String(i).padStart(40, '9')}`)
  })
  clock.advance(200)
  await Promise.all(stream)
  expect(requests).toBeLessThanOrEqual(2 + 6)
})
