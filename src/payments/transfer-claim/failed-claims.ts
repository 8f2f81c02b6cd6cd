import { type RateCounters, type RateLimit, rateLimited } from '../../catalog/rate-limit.ts'

/** Who waits for his transfer to be mined asks less often. */
export const FAILED_CLAIMS: RateLimit = { name: 'failed-transfer-claims', calls: 120, windowS: 60 }
export const FAILED_OF_LINES: RateLimit = { name: 'failed-transfer-claims-of-lines', calls: 480, windowS: 60 }

type Ports = { counters: RateCounters; customerOf: (client: string) => string }
/** Claims that bought nothing, of one client and of all lines of its customer: nobody asks our node without end. */
export type FailedClaims = {
  count(client: string): Promise<void>
  /** Throws 429 where there were too many. */
  check(client: string): Promise<void>
}

export function createFailedClaims({ counters, customerOf }: Ports): FailedClaims {
  return {
    async count(client) {
      const { isOver } = await counters.take(FAILED_CLAIMS, client)
      // Who is refused without a look uses up nothing of his neighbours.
      if (!isOver) await counters.take(FAILED_OF_LINES, customerOf(client))
    },
    async check(client) {
      const own = await counters.look(FAILED_CLAIMS, client)
      if (own.isOver) throw rateLimited(FAILED_CLAIMS, own)
      const ofLines = await counters.look(FAILED_OF_LINES, customerOf(client))
      if (ofLines.isOver) throw rateLimited(FAILED_OF_LINES, ofLines)
    },
  }
}
