import type { Secret } from '../../core/secret.ts'
import { atMostEvery } from '../../core/time/at-most-every.ts'
import { type Clock, sleep } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import type { Store } from '../../ledger/ports/store.ts'
import { nameDatabase } from '../../ledger/postgres/on-database.ts'
import type { HealthCheck } from '../../products/service/services.ts'
import type { Dependency } from './watch.ts'

const EVERY_MS = 5_000
/** Less than a scrape of the metrics waits: a database that hangs must not hide what the others say. */
const WITHIN_MS = 2_000
export const ASK_EVERY_MS = SECOND_MS

/** For the log. An embedded ledger is lost with its disk, which is asked itself. */
export function storeDependencies(
  databaseUrl: Secret | undefined,
  { ping }: Pick<Store, 'ping'>,
): Dependency[] {
  if (!databaseUrl) return []
  const probe = () =>
    ping().catch((error: unknown) => {
      throw nameDatabase(databaseUrl.reveal(), error)
    })
  return [{ name: 'store', where: {}, trouble: 'does not answer', everyMs: EVERY_MS, probe }]
}

/** For `/health`. However often strangers ask, the connections of the ledger are there for sales. */
export const createStoreCheck = (store: Pick<Store, 'ping'>, clock: Clock): (() => Promise<HealthCheck>) =>
  atMostEvery(clock, ASK_EVERY_MS, () => askStore(store, clock))

async function askStore(store: Pick<Store, 'ping'>, clock: Clock): Promise<HealthCheck> {
  const startedAt = performance.now()
  const check = { name: 'store', needed: true, ageMs: null }
  const over = new AbortController()
  const late = sleep(clock, WITHIN_MS, over.signal).then(() => {
    throw new Error('does not answer')
  })
  try {
    await Promise.race([store.ping(), late])
    return { ...check, state: 'ok', latencyMs: performance.now() - startedAt, detail: 'answers' }
  } catch (error) {
    return {
      ...check,
      state: 'down',
      latencyMs: null,
      detail: error instanceof Error ? error.message : 'does not answer',
    }
  } finally {
    over.abort()
  }
}
