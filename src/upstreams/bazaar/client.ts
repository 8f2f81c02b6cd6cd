import type { Upstream } from '../upstream.ts'
import { type BazaarPage, ResourcesReply } from './wire.ts'

/** A hundred rows with their schemas are about half a megabyte. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024
const PAGE_TIMEOUT_MS = 30_000
const MAX_LIMIT = 1_000
const MAX_OFFSET = 1_000_000

/** The list of what is sold through x402, as the facilitator of Coinbase keeps it. */
export type Bazaar = {
  page(query: { offset: number; limit: number }): Promise<BazaarPage>
}

export function createBazaar(upstream: Pick<Upstream, 'ask'>): Bazaar {
  return {
    page: async ({ offset, limit }) =>
      upstream.ask({
        path: '/discovery/resources',
        query: {
          limit: Math.max(1, Math.min(MAX_LIMIT, limit)),
          offset: Math.max(0, Math.min(MAX_OFFSET, offset)),
        },
        schema: ResourcesReply,
        maxBytes: MAX_PAGE_BYTES,
        timeoutMs: PAGE_TIMEOUT_MS,
      }),
  }
}
