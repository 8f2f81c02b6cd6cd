import { ServiceError } from '../../core/service-error.ts'
import { TradingError } from '../../upstreams/polymarket/trading/trading-error.ts'
import { UpstreamError } from '../../upstreams/upstream.ts'

/** A venue that cannot be asked is a failure that we expect; anything else is a bug and stays one. */
export async function asking<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw toServiceError(cause) ?? cause
  }
}

function toServiceError(cause: unknown): ServiceError | undefined {
  if (!(cause instanceof TradingError || cause instanceof UpstreamError)) return undefined
  const isLockedOut = cause instanceof TradingError && cause.fault === 'unauthorized'
  return new ServiceError('upstream_unavailable', `Polymarket: ${cause.message}`, {
    cause,
    ...(isLockedOut && { hint: 'the venue does not take our key: run ./tollbook doctor' }),
    ...(cause.retryAfterMs !== undefined && { retryAfterS: Math.ceil(cause.retryAfterMs / 1000) }),
  })
}
