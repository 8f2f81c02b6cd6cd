import type { z } from 'zod'
import type { Hit } from '../../intel/directory/search.ts'
import { isoTime } from '../fields.ts'
import type { Result } from './fields.ts'

export function toResult({ listing, ...hit }: Hit): z.input<typeof Result> {
  const { price, lastCalledMs } = listing
  return {
    name: listing.name,
    url: listing.url,
    host: listing.host,
    description: listing.description || null,
    description_withheld: listing.isWithheld,
    category: listing.category,
    kind: listing.kind,
    tags: [...listing.tags],
    networks: [...listing.networks],
    price: price ? { min_usdc: price.min, max_usdc: price.max } : null,
    quality: {
      calls_30d: toCount(listing.calls30d),
      payers_30d: toCount(listing.payers30d),
      last_called_at: lastCalledMs === undefined ? null : isoTime(lastCalledMs),
    },
    listed_in: [...hit.lists],
    endpoints_of_host: { matching: hit.matchingOfHost, listed: hit.listedOfHost },
    score: hit.score,
    why: {
      relevance: hit.relevance,
      quality: hit.quality,
      freshness: hit.freshness,
      matched: hit.matched.map(({ word, as, in: fields }) => ({ word, as, in: [...fields] })),
    },
  }
}

const toCount = (count: number | undefined): number | null => (count === undefined ? null : Math.floor(count))
