import { UpstreamError } from '../upstream.ts'

/** Undefined where the provider does not have it. */
export async function orNotFound<T>(asking: Promise<T>): Promise<T | undefined> {
  try {
    return await asking
  } catch (cause) {
    if (cause instanceof UpstreamError && cause.fault === 'not_found') return undefined
    throw cause
  }
}
