import type { BackoffBounds } from '../core/time/backoff.ts'

/** For connections. The longest wait, and one that hangs after it, end within 30 s of an outage. */
export const CONNECT_BOUNDS: BackoffBounds = { firstMs: 250, maxMs: 10_000 }

/** For streams, which share a connection with its own waits. */
export const STREAM_BOUNDS: BackoffBounds = { firstMs: 250, maxMs: 5_000 }

/** For requests that are repeated until they succeed. */
export const RETRY_BOUNDS: BackoffBounds = { firstMs: 500, maxMs: 10_000 }
