import type { Services } from '../catalog/services.ts'
import type { Clock } from '../core/clock.ts'
import { ServiceError } from '../core/service-error.ts'
import { MINUTE_MS } from '../core/time.ts'
import type { Wallets } from '../sandbox/wallets.ts'

const PER_MINUTE = 300

/** Play money is free to make, but every pair costs the chains a few transactions. */
export function limitWallets(wallets: Wallets, clock: Clock): NonNullable<Services['wallets']> {
  let minute = 0
  let given = 0
  return () => {
    const now = Math.floor(clock.now() / MINUTE_MS)
    if (now !== minute) [minute, given] = [now, 0]
    if (++given > PER_MINUTE)
      throw new ServiceError('rate_limited', `at most ${PER_MINUTE} wallets a minute`, { retryAfterS: 60 })
    return wallets.fresh()
  }
}
