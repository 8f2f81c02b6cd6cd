import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import type { Database } from '../../ledger/postgres/database.ts'

/**
 * What several processes write is compared by its time, and a sale that seems to be a minute old is not looked at again
 * once it is final. A process also tells by its own clock how old a price is, and how much of a window is left.
 */
const APART_MAX_MS = 2 * SECOND_MS
const TIME = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS ms'

/** Throws where the clock of this machine and that of the database are too far apart. */
export async function refuseWrongClock(
  { query }: Pick<Database, 'query'>,
  clock: Pick<Clock, 'now'>,
): Promise<void> {
  const beforeMs = clock.now()
  const [row] = (await query(TIME)).rows
  const atMs = Number(row?.ms)
  // Whenever the database looked at its clock in between.
  const apartMs = Math.max(beforeMs - atMs, atMs - clock.now(), 0)
  if (apartMs > APART_MAX_MS)
    throw new ServiceError(
      'store_unavailable',
      `the clock of this machine and that of the database are ${Math.round(apartMs / SECOND_MS)} s apart: let both be set by NTP`,
    )
}
