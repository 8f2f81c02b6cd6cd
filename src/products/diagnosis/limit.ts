import type { RateLimit } from '../../catalog/rate-limit.ts'

/** Whatever a language model may write counts together. */
export const WRITER_LIMIT: RateLimit = { name: 'written-texts', calls: 20, windowS: 60, sells: true }
