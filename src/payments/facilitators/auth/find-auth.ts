import type { Secret } from '../../../core/secret.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { FacilitatorAuth } from '../members/http-member.ts'
import { createBearerAuth } from './bearer-auth.ts'

/** The exchange-run facilitator, which requires signed calls. Others are never sent our key id. */
export const KEYED_HOST = 'api.cdp.coinbase.com'

/** How calls to `url` are signed; undefined where they are not. */
export function findAuth(
  url: string,
  key: { keyId: string; key: Secret } | undefined,
  clock: Clock,
): FacilitatorAuth | undefined {
  const { protocol, hostname } = new URL(url)
  if (!key || protocol !== 'https:' || hostname !== KEYED_HOST) return undefined
  try {
    return createBearerAuth({ clock, ...key })
  } catch (cause) {
    const reason = cause instanceof RangeError ? cause.message : 'the key cannot be read'
    throw new Error(`TOLLBOOK_FACILITATOR_KEY: ${reason}`, { cause })
  }
}
