import { expect, it } from 'vitest'
import { createScriptedUpstream } from '../../../testing/upstreams/scripted-upstream.ts'
import { createPolyWeb } from './client.ts'

it('asks for the prices of a window', async () => {
  const upstream = createScriptedUpstream(() => ({
    openPrice: 64_000.25,
    closePrice: null,
    timestamp: 1_790_617_510_000,
    completed: false,
  }))
  const window = { startS: 1_790_617_500, endS: 1_790_617_800 }
  expect(await createPolyWeb(upstream).windowPrice('BTC', window)).toEqual({
    openPrice: 64_000.25,
    closePrice: undefined,
    isCompleted: false,
    isIncomplete: false,
    atMs: 1_790_617_510_000,
  })
  expect(upstream.asked).toEqual([
    {
      path: '/api/crypto/crypto-price',
      query: {
        symbol: 'BTC',
        eventStartTime: '2026-09-28T17:45:00Z',
        variant: 'fiveminute',
        endDate: '2026-09-28T17:50:00Z',
      },
    },
  ])
})

it('knows whether orders are refused, and never guesses', async () => {
  const geoblock = (json: unknown) => createPolyWeb(createScriptedUpstream(() => json)).geoblock()
  expect(await geoblock({ blocked: true, ip: '203.0.113.9', country: 'US', region: 'NY' })).toEqual({
    isBlocked: true,
    country: 'US',
    region: 'NY',
  })
  for (const reply of [
    { country: 'US' },
    { blocked: null, country: 'US' },
    { blocked: false, country: '<b>' },
    [],
  ])
    await expect(geoblock(reply)).rejects.toMatchObject({ fault: 'malformed' })
})
