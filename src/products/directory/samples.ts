import type { z } from 'zod'
import { sampleTime } from '../fields.ts'
import type { ListFields, Result } from './fields.ts'

export const sampleResult: z.input<typeof Result> = {
  name: 'Weather for agents',
  url: 'https://weather.example/forecast',
  host: 'weather.example',
  description: 'Forecast of any place for ten days.',
  description_withheld: false,
  category: 'services-endpoints',
  kind: 'http',
  tags: ['weather', 'forecast'],
  networks: ['eip155:8453'],
  price: { min_usdc: 0.001, max_usdc: 0.001 },
  quality: { calls_30d: 5_200, payers_30d: 120, last_called_at: sampleTime },
  listed_in: ['bazaar'],
  endpoints_of_host: { matching: 2, listed: 3 },
  score: 0.837434,
  why: {
    relevance: 0.875,
    quality: 0.713784,
    freshness: 1,
    matched: [
      { word: 'weather', as: 'weather', in: ['name', 'tags', 'host'] },
      { word: 'forecast', as: 'forecast', in: ['tags', 'host', 'description'] },
    ],
  },
}

export const sampleLists: Readonly<Record<'bazaar' | 'ecosystem', z.input<typeof ListFields>>> = {
  bazaar: {
    source: 'cdp_bazaar',
    timestamp: sampleTime,
    status: 'fresh',
    listings: 14_920,
    withheld: 12,
    left_out: 150,
  },
  ecosystem: {
    source: 'x402_ecosystem',
    timestamp: sampleTime,
    status: 'fresh',
    listings: 240,
    withheld: 0,
    left_out: 1,
  },
}
