import type { RateLimit } from '../catalog/rate-limit.ts'

/** Each challenge is a row in the ledger, and each answer may ask the chain. */
export const SIGN_IN_LIMIT: RateLimit = { name: 'sign-in', calls: 3_000, windowS: 60 }
/** Each signature is checked, and may ask the chain. */
export const OWN_LIMIT: RateLimit = { name: 'account', calls: 300, windowS: 60 }
/** Each asks the chain about another wallet. */
export const TIER_LIMIT: RateLimit = { name: 'tier', calls: 300, windowS: 60 }
