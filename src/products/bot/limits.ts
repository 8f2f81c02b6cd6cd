import type { RateLimit } from '../../catalog/rate-limit.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../core/time/time.ts'

const DAY_S = DAY_MS / SECOND_MS

/** Both previews count together. */
export const PREVIEW_LIMIT: RateLimit = { name: 'public-previews', calls: 2_000, windowS: DAY_S }
export const TRIAL_LIMIT: RateLimit = { name: 'free-trial', calls: 20, windowS: DAY_S }

/** Samples are made once in this time, whoever asks. */
export const SAMPLE_MS = MINUTE_MS
export const PREVIEW_MAX_AGE = `public, max-age=${SAMPLE_MS / SECOND_MS}`
