import { z } from 'zod'
import { ResourcesReply } from '../../upstreams/bazaar/wire.ts'
import { PartnerFile, TreeReply } from '../../upstreams/ecosystem/wire.ts'
import { parseWire } from '../../upstreams/wire/reply.ts'
import type { Parser } from './mutation-search.ts'

const reply =
  (schema: z.ZodType): Parser =>
  (json) =>
    parseWire(schema, json, 'reply')

/** Every recorded payload of the directories, with the parser of the reply that it is. */
export const PARSERS: Readonly<Record<string, Parser>> = {
  'recorded/x402/discovery_search_sweep.json': reply(ResourcesReply),
  // Files of one partner each, put together by those who recorded them.
  'recorded/x402/ecosystem_partners.json': reply(z.array(PartnerFile)),
  'from-docs/x402_discovery_resources.json': reply(ResourcesReply),
}

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

/** Replies of our own in the same shapes, for those who do not have the recordings. */
export const OWN: Readonly<Record<string, { parse: Parser; json: unknown }>> = {
  resources: {
    parse: reply(ResourcesReply),
    json: {
      x402Version: 2,
      items: [
        {
          resource: 'https://tides.example/now',
          type: 'http',
          x402Version: 2,
          serviceName: 'Tides',
          description: 'High and low water of a harbour.',
          tags: ['sea', 'tides'],
          accepts: [{ scheme: 'exact', network: 'eip155:8453', asset: USDC, amount: '1500' }],
          lastUpdated: '2026-10-01T08:00:00.000Z',
          quality: {
            l30DaysTotalCalls: 40,
            l30DaysUniquePayers: 4,
            lastCalledAt: '2026-10-01T08:00:00.000Z',
          },
        },
        {
          resource: { url: 'https://tides.example/chart', description: 'A chart', tags: ['chart'] },
          type: 'mcp',
          accepts: [{ network: 'eip155:8453', asset: USDC, amount: 250 }],
          metadata: { name: 'Chart' },
        },
        {
          resource: 'https://tides.example/old',
          type: 'http',
          x402Version: 1,
          lastUpdated: '2025-08-09T01:07:04.005Z',
          metadata: {},
          accepts: [
            { network: 'base', asset: USDC, maxAmountRequired: '200', description: 'Words of version 1' },
          ],
        },
      ],
      pagination: { limit: 3, offset: 0, total: 3 },
    },
  },
  tree: {
    parse: reply(TreeReply),
    json: {
      sha: 'a'.repeat(40),
      tree: [
        { path: 'docs', mode: '040000', type: 'tree', sha: 'b'.repeat(40) },
        { path: 'docs/a.json', mode: '100644', type: 'blob', sha: 'c'.repeat(40), size: 120 },
        { path: 'docs/b.json', mode: '100644', type: 'blob', sha: 'd'.repeat(40), size: 130 },
      ],
      truncated: false,
    },
  },
  partner: {
    parse: reply(PartnerFile),
    json: {
      name: 'Tidal Pay',
      description: 'Settles payments.',
      logoUrl: '/logos/tidal.png',
      websiteUrl: 'https://tidal.example',
      category: 'Facilitators',
      facilitator: { baseUrl: 'https://f.tidal.example', networks: ['base', 'solana'], schemes: ['exact'] },
    },
  },
}
