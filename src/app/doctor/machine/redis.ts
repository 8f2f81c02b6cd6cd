import { openRedis } from '../../../access/redis/connection.ts'
import { silentLog } from '../../../core/log.ts'
import type { Secret } from '../../../core/secret.ts'
import { type Clock, sleep } from '../../../core/time/clock.ts'
import { type Check, ok } from '../check.ts'

const ASK_EVERY_MS = 50

/** That Redis answers. Without it a service sells, and gives nothing away. */
export function redisCheck(url: Secret, clock: Clock): Check {
  return {
    name: 'redis',
    group: 'machine',
    advice:
      'see that Redis runs and that REDIS_URL is right; until then free calls are refused and paid ones go on',
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
