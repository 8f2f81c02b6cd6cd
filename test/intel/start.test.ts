import { expect, it } from 'vitest'
import { MINUTE_MS } from '../../src/core/time/time.ts'
import { openIntelWorld } from './intel-world.ts'

it('a start does not wait for the directory, which takes minutes by nature', async () => {
  await using world = await openIntelWorld({ seed: 'start', hanging: ['bazaar', 'ecosystem'] })
  expect(world.startTookMs).toBeLessThan(2_000)
  expect(world.intel.directory.parts().bazaar).toMatchObject({ status: 'missing' })
  world.internet.outages.set('bazaar', 'rest')
  world.internet.outages.set('ecosystem', 'rest')
  await world.pass(3 * MINUTE_MS, 5_000)
  expect(world.intel.directory.parts().bazaar).toMatchObject({ status: 'fresh' })
})
