import { openRedis } from '../../../access/redis/connection.ts'
import { silentLog } from '../../../core/log.ts'
import type { Secret } from '../../../core/secret.ts'
import { type Clock, sleep } from '../../../core/time/clock.ts'
import { type Check, ok } from '../check.ts'

const ASK_EVERY_MS = 50

/** That Redis takes what is written. Without it nothing is given away, and apis hear of no market. */
export function redisCheck(url: Secret, clock: Clock): Check {
  return {
    name: 'redis',
    group: 'machine',
    advice:
      'see that Redis runs, takes writes (a replica does not) and is no cluster, and that REDIS_URL is right; until then free calls are refused, and apis sell nothing of the market',
    async run(signal) {
      const redis = openRedis({ url: url.reveal(), log: silentLog })
      const answers = () =>
        redis.ping().then(
          () => true,
          () => false,
        )
      try {
        while (!signal.aborted && !(await answers())) await sleep(clock, ASK_EVERY_MS, signal)
        return ok('answers')
      } finally {
        redis.close()
      }
    },
  }
}
