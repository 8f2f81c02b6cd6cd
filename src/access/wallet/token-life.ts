import { HOUR_MS } from '../../core/time/time.ts'

/** A token opens for this long. */
export const TOKEN_LIFE_MS = HOUR_MS
