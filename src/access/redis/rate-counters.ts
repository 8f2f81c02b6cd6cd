import type { RateCount, RateCounters, RateLimit } from '../../catalog/rate-limit.ts'
import type { Clock } from '../../core/time/clock.ts'
import { type RedisConnection, script } from './connection.ts'
import { parseWholeNumbers } from './whole-numbers.ts'

/** Milliseconds, of the server unless a test brings its own. */
const NOW = `
  local now = tonumber(ARGV[1])
  if not now then
    local time = redis.call('TIME')
    now = time[1] * 1000 + math.floor(time[2] / 1000)
  end`

/** A clock that is set back does not open a window anew. A call that is over does not count. */
const COUNT = script(`${NOW}
  local most, length, isTake = tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == 'take'
  local kept = redis.call('HMGET', KEYS[1], 'start', 'calls')
  if kept[1] and not (tonumber(kept[1]) and tonumber(kept[2])) then error('not a count') end
  local keptStart = tonumber(kept[1]) or 0
  local start = math.max(math.floor(now / 1000 / length) * length, keptStart)
  local used = keptStart == start and tonumber(kept[2]) or 0
  local isOver = used >= most and 1 or 0
  if isTake and isOver == 0 then
    used = used + 1
    redis.call('HSET', KEYS[1], 'start', string.format('%.0f', start), 'calls', string.format('%.0f', used))
    redis.call('PEXPIRE', KEYS[1], string.format('%.0f', (start + length) * 1000 - now + 1000))
  end
  return {isOver, used, start, now}`)

/** Without the start of a window it is one of the window that is open. */
const GIVE_BACK = script(`${NOW}
  local length, start = tonumber(ARGV[2]), tonumber(ARGV[3])
  local kept = redis.call('HMGET', KEYS[1], 'start', 'calls')
  local keptStart, calls = tonumber(kept[1]), tonumber(kept[2])
  if not keptStart or not calls or calls < 1 then return {0} end
  if start and start ~= keptStart then return {0} end
  if not start and keptStart + length <= now / 1000 then return {0} end
  redis.call('HINCRBY', KEYS[1], 'calls', -1)
  return {1}`)

type Options = {
  redis: Pick<RedisConnection, 'run'>
  prefix: string
  /** For tests. Absent: the server's time, so that all processes have the same windows whatever their clocks say. */
  clock?: Pick<Clock, 'now'> | undefined
}

/** Counts that several processes share. Keys go by themselves when their window is over. */
export function createRedisRateCounters({ redis, prefix, clock }: Options): RateCounters {
  const now = () => clock?.now() ?? ''
  const keyOf = ({ name }: RateLimit, client: string) => `${prefix}rate:${name} ${client}`
  const count = async (limit: RateLimit, client: string, how: 'take' | 'look'): Promise<RateCount> => {
    const { calls, windowS } = limit
    const reply = await redis.run(COUNT, keyOf(limit, client), [now(), calls, windowS, how])
    const [over = 1, used = 0, windowStartS = 0, nowMs = 0] = parseWholeNumbers(reply, 4)
    const resetS = Math.max(1, Math.ceil(windowStartS + windowS - nowMs / 1000))
    return { isOver: over === 1, remaining: Math.max(0, calls - used), windowStartS, resetS }
  }
  return {
    take: (limit, client) => count(limit, client, 'take'),
    look: (limit, client) => count(limit, client, 'look'),
    async giveBack(limit, client, taken) {
      if (taken?.isOver) return
      const args = [now(), limit.windowS, taken?.windowStartS ?? '']
      parseWholeNumbers(await redis.run(GIVE_BACK, keyOf(limit, client), args), 1)
    },
  }
}
