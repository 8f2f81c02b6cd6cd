import { limitsOf, type ProviderName } from '../../config/providers.ts'
import { SECOND_MS } from '../../core/time/time.ts'

/** What the provider publishes; none of them tells how much of it is used. */
export function limitText(provider: ProviderName): string {
  const [limit] = limitsOf(provider)
  return limit ? `; limit ${limit.count} requests in ${limit.perMs / SECOND_MS} s (use is not told)` : ''
}
