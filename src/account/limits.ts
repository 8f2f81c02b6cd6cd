import type { RateLimit } from '../catalog/rate-limit.ts'

/** As many as can be answered. */
export const CHALLENGE_LIMIT: RateLimit = { name: 'challenge', calls: 60, windowS: 60 }
/** Each answer may ask the chain twice: about the signature and the balance. */
export const SIGN_IN_LIMIT: RateLimit = { name: 'sign-in', calls: 60, windowS: 60 }
/** Each signature is checked, and may ask the chain. */
export const OWN_LIMIT: RateLimit = { name: 'account', calls: 300, windowS: 60 }
/** Each asks the chain about another wallet. */
export const TIER_LIMIT: RateLimit = { name: 'tier', calls: 300, windowS: 60 }
