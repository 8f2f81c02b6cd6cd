import pg from 'pg'
import { systemClock } from '../../src/core/time/clock.ts'
import { until } from './until.ts'

/** Who leads from when on, by the clock of the database, which is on this machine. */
export type Reign = { term: number; holder: string; sinceMs: number }
export type LeaderWatch = {
  /** In the order in which they were seen. */
  reigns: readonly Reign[]
  /** The first of a later term; rejects where none comes in time. */
  after(term: number, withinMs: number): Promise<Reign>
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 100
const ANSWER_WITHIN_MS = 1_000
const QUERY = 'SELECT term, holder, extract(epoch FROM since) * 1000 AS since_ms FROM leader'

/** Reads the table of the leader as a stranger would, over and over, also while the database comes and goes. */
export function watchLeader(url: string): LeaderWatch {
  const reigns: Reign[] = []
  let isOver = false
  let looking: Promise<void> | undefined
  const look = async () => {
    const client = new pg.Client({
      ...{ connectionString: url, connectionTimeoutMillis: ANSWER_WITHIN_MS },
      query_timeout: ANSWER_WITHIN_MS,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      for (;;) {
        if (isOver) return
        const [row] = (await client.query(QUERY)).rows
        if (row && Number(row.term) !== reigns.at(-1)?.term)
          reigns.push({ term: Number(row.term), holder: String(row.holder), sinceMs: Number(row.since_ms) })
        await new Promise<void>((resolve) => void systemClock.after(LOOK_EVERY_MS, resolve))
      }
    } catch {
      // Down, or not there yet: looked for again.
    } finally {
      await client.end().catch(() => {})
    }
  }
  const stopLooking = systemClock.every(LOOK_EVERY_MS, () => {
    looking ??= look().finally(() => {
      looking = undefined
    })
  })
  const findAfter = (term: number) => reigns.find((reign) => reign.term > term)
  return {
    reigns,
    async after(term, withinMs) {
      await until(`a leader after term ${term}`, () => findAfter(term) !== undefined, withinMs)
      return findAfter(term) as Reign
    },
    async stop() {
      isOver = true
      stopLooking()
      await looking
    },
  }
}
