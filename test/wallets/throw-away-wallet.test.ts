import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROJECT_TOKEN, USDC } from '../../src/sandbox/tokens/known-addresses.ts'
import { createBuyer } from '../../src/testing/buyer.ts'
import { startWorld, type World } from '../../src/testing/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ TOLLBOOK_DEMO_CALLS_PER_DAY: '100' })
})
afterAll(() => world[Symbol.asyncDispose]())

type Shown = {
  holdings: { token: string; units: string }[]
  holdings_complete: boolean
  activity: { recent: { direction: string; token: string; amount: string }[] }
}

test('a wallet that the sandbox hands out is not empty, and shows what it paid', async () => {
  const buyer = await createBuyer(world, 'base')
  expect((await buyer.fetch(`${world.url}/price/BTC?demo=0`)).status).toBe(200)
  const reply = await world.get(`/wallet/${buyer.address}`)
  expect(reply.status).toBe(200)
  const { holdings, holdings_complete, activity } = (await reply.json()) as Shown
  const units = new Map(holdings.map((held) => [held.token, BigInt(held.units)]))
  expect(units.get(PROJECT_TOKEN)).toBe(100n * 10n ** 18n)
  expect(units.get(USDC)).toBeLessThan(10_000_000n)
  expect(units.get(USDC)).toBeGreaterThan(9_000_000n)
  expect(holdings_complete).toBe(true)
  expect(
    activity.recent.filter(({ direction, token }) => direction === 'out' && token === USDC),
  ).toHaveLength(1)
})
