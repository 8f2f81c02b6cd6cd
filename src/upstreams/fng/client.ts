import type { Upstream } from '../upstream.ts'
import { type FearGreedDay, FearGreedReply } from './wire.ts'

/** A row is below 120 bytes. */
const MAX_BYTES = 64 * 1024

/** The fear and greed index of alternative.me: one value a day for the whole market. */
export type FearGreedIndex = {
  /** The last `count` days, newest first. */
  days(count: number): Promise<readonly FearGreedDay[]>
}

export function createFearGreedIndex({ ask }: Pick<Upstream, 'ask'>): FearGreedIndex {
  return {
    async days(count) {
      const query = { limit: count }
      const { days } = await ask({ path: '/fng/', query, schema: FearGreedReply, maxBytes: MAX_BYTES })
      return days.slice(0, count)
    },
  }
}
