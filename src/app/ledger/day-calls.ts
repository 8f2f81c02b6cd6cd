import type { Config } from '../../config/config.ts'
import { silentLog } from '../../core/log.ts'
import { type Clock, sleep } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import { openCounters } from '../counters.ts'
import { useLedger } from './use-ledger.ts'

const REDIS_WITHIN_MS = 3 * SECOND_MS
const ASK_EVERY_MS = 50

/** What was called without a payment on a UTC day, by whom it is counted for; from wherever it is counted. */
export const readDayCalls = (
  input: { config: Pick<Config, 'mode' | 'payTo' | 'dataDir' | 'databaseUrl' | 'redisUrl'>; clock: Clock },
  day: number,
): Promise<ReadonlyMap<string, number>> =>
  useLedger(input, async (store) => {
    const { calls, ping, close } = await openCounters({ ...input, log: silentLog, store })
    try {
      if (ping) await untilAnswers(ping, input.clock)
      return await calls.load(day)
    } finally {
      close()
    }
  })

/** A connection takes a moment; whoever serves has long had one. */
async function untilAnswers(ping: () => Promise<void>, clock: Clock): Promise<void> {
  const giveUpMs = clock.now() + REDIS_WITHIN_MS
  const answers = () =>
    ping().then(
      () => true,
      () => false,
    )
  while (!(await answers())) {
    if (clock.now() > giveUpMs)
      throw new Error('Redis does not answer: see that it runs and that REDIS_URL is right')
    await sleep(clock, ASK_EVERY_MS)
  }
}
