import type { Clock } from '../../core/time/clock.ts'
import type { Payment } from '../gate/payment.ts'

/** Facilitators refuse what would expire before it is mined; some clocks are a little ahead of ours. */
const EXPIRES_WITHIN_MS = 10_000

export const isExpiring = (clock: Clock, { validBeforeMs }: Payment): boolean =>
  validBeforeMs !== undefined && validBeforeMs <= clock.now() + EXPIRES_WITHIN_MS
