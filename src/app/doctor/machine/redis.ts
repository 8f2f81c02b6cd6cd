import { openRedis, type RedisConnection } from '../../../access/redis/connection.ts'
import type { Secret } from '../../../core/secret.ts'
import { type Clock, sleep } from '../../../core/time/clock.ts'
import { SECOND_MS } from '../../../core/time/time.ts'
import { type Check, type Finding, failure, ok, warning } from '../check.ts'

const ASK_EVERY_MS = 50
/** One that is busy, or just starts, gets a second chance. */
const PATIENCE_MS = 3 * SECOND_MS
const KEEPS = 'noeviction'
const ADVICE =
  'see that Redis runs, has room, takes writes (a replica does not) and is no cluster, and that REDIS_URL is right; until then free calls are refused, and apis sell nothing of the market'

/** That Redis takes what is written, and keeps it. Without it nothing is given away, and apis hear of no market. */
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
        return await lookAtSettings(redis)
      } finally {
        redis.close()
      }
    },
  }
}

/** Many who run Redis for others let it throw away what ends by itself, which is what counts free calls. */
async function lookAtSettings(redis: Pick<RedisConnection, 'evicts' | 'keeps'>): Promise<Finding> {
  const policy = await redis.evicts()
  if (policy === undefined)
    return ok('answers; whether it throws counts away when it is full was not looked at: it does not tell us')
  const faults: string[] = []
  const wanted: string[] = []
  if (policy !== KEEPS) {
    faults.push(
      `throws counts away when it is full (maxmemory-policy ${policy}): free calls of the day begin anew then`,
    )
    wanted.push(`maxmemory-policy ${KEEPS}`)
  }
  if ((await redis.keeps()) === false) {
    faults.push(
      'keeps no log of what it is told: a restart forgets the free calls of the day, and who bought what',
    )
    wanted.push('appendonly yes')
  }
  if (faults.length === 0) return ok('answers')
  const next = wanted.map((setting) => `set ${setting}, in redis.conf or at whoever runs it for you`)
  return warning(`answers, and ${faults.join('; it ')}`, ...next)
}
