import { openRedis } from '../../../access/redis/connection.ts'
import type { Secret } from '../../../core/secret.ts'
import { type Clock, sleep } from '../../../core/time/clock.ts'
import { SECOND_MS } from '../../../core/time/time.ts'
import { type Check, failure, ok } from '../check.ts'

const ASK_EVERY_MS = 50
/** One that is busy, or just starts, gets a second chance. */
const PATIENCE_MS = 3 * SECOND_MS
const ADVICE =
  'see that Redis runs, has room, takes writes (a replica does not) and is no cluster, and that REDIS_URL is right; until then free calls are refused, and apis sell nothing of the market'

/** That Redis takes what is written. Without it nothing is given away, and apis hear of no market. */
export function redisCheck(url: Secret, clock: Clock): Check {
  return {
    name: 'redis',
    group: 'machine',
    advice: ADVICE,
    async run(signal) {
      let why: string | undefined
      const log = {
        info() {},
        warn(facts: object) {
          if ('why' in facts) why ??= String(facts.why)
        },
      }
      const redis = openRedis({ url: url.reveal(), log })
      const answers = () =>
        redis.ping().then(
          () => true,
          () => false,
        )
      const untilMs = clock.now() + PATIENCE_MS
      try {
        while (!(await answers())) {
          const isOver = signal.aborted || (why !== undefined && clock.now() >= untilMs)
          if (isOver) return failure(why ?? 'does not answer', ADVICE)
          await sleep(clock, ASK_EVERY_MS, signal)
        }
        return ok('answers')
      } finally {
        redis.close()
      }
    },
  }
}
