import { expect, it } from 'vitest'
import { MINUTE_MS } from '../../src/core/time/time.ts'
import { type IntelWorld, openIntelWorld } from './intel-world.ts'

const venueIn = (world: IntelWorld, venue: string) => world.intel.derivatives.perpetual(venue as 'okx', 'BTC')

it('a source that repeats itself is aged and then missing, although it answers well; the others go on', async () => {
  await using world = await openIntelWorld({ seed: 'frozen' })
  const freeze = (provider: string) => world.internet.outages.set(provider, 'rest', { kind: 'frozen' })
  for (const provider of ['okx', 'hyperliquid', 'geckoterminal']) freeze(provider)
  await world.pass(2.5 * MINUTE_MS, 5_000)
  for (const venue of ['okx', 'hyperliquid'])
    expect(venueIn(world, venue), venue).toMatchObject({ status: 'aged' })
  expect(venueIn(world, 'bybit')).toMatchObject({ status: 'fresh' })
  await world.pass(5 * MINUTE_MS, 5_000)
  for (const venue of ['okx', 'hyperliquid'])
    expect(venueIn(world, venue), venue).toMatchObject({
      status: 'missing',
      reason: 'too old; the source says nothing new',
    })
  expect(venueIn(world, 'binance')).toMatchObject({ status: 'fresh' })
  expect(world.intel.tokens.trending.list()).toMatchObject({ status: 'missing' })
  expect((await world.ask('/trending')).status).toBe(503)
  for (const provider of ['okx', 'hyperliquid', 'geckoterminal']) world.internet.outages.set(provider, 'rest')
  await world.pass(90_000, 5_000)
  for (const venue of ['okx', 'hyperliquid'])
    expect(venueIn(world, venue), venue).toMatchObject({ status: 'fresh' })
  expect((await world.ask('/trending')).status).toBe(200)
})

it('while all sources are well, nothing is taken for frozen', async () => {
  await using world = await openIntelWorld({ seed: 'well' })
  for (let minutes = 0; minutes < 12; minutes += 2) {
    await world.pass(2 * MINUTE_MS, 5_000)
    for (const venue of ['binance', 'bybit', 'okx', 'hyperliquid'])
      expect(venueIn(world, venue), venue).toMatchObject({ status: 'fresh' })
    expect(world.intel.tokens.trending.list()).toMatchObject({ status: 'fresh' })
    for (const chain of ['bitcoin', 'base'] as const)
      expect(world.intel.whales.transfers(chain), chain).toMatchObject({ status: 'fresh' })
  }
})
