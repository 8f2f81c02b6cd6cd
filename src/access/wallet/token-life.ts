import { HOUR_MS } from '../../core/time/time.ts'

/** A token opens for this long; balances are read again with the next sign-in. */
export const TOKEN_LIFE_MS = HOUR_MS
