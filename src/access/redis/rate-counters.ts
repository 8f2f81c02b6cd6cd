import type { RateCount, RateCounters, RateLimit } from '../../catalog/rate-limit.ts'
import type { Clock } from '../../core/time/clock.ts'
import { MAX_COUNTED, WINDOWS_AHEAD_MAX } from '../rate-counters.ts'
import { type RedisConnection, script } from './connection.ts'
import { parseWholeNumbers } from './whole-numbers.ts'

/** Milliseconds, of the server unless a test brings its own. */
const NOW = `
  local now = tonumber(ARGV[1])
  if not now then
    local time = redis.call('TIME')
    now = time[1] * 1000 + math.floor(time[2] / 1000)
  end`

/**
 * Who is counted, by who was new or called last: the key of whoever has not called for longest gives way. Who is among
 * the newer half stays where it is, so that most calls write nothing here.
 */
const NOTE_CALLER = `
  local callers, most = ARGV[5], tonumber(ARGV[6])
  local newer = redis.call('ZREVRANK', callers, KEYS[1])
  if not newer and redis.call('ZCARD', callers) >= most then
    redis.call('DEL', redis.call('ZPOPMIN', callers)[1])
  end
  if not newer or newer >= most / 2 then
    local newest = redis.call('ZREVRANGE', callers, 0, 0, 'WITHSCORES')
    redis.call('ZADD', callers, string.format('%.0f', (newest[2] or 0) + 1), KEYS[1])
  end`

/** A call that is over does not count. Who is counted is known for at least as long as the counts are kept. */
const COUNT = script(`${NOW}
  local calls, length, isTake = tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == 'take'
  local kept = redis.call('HMGET', KEYS[1], 'start', 'calls')
  if kept[1] and not (tonumber(kept[1]) and tonumber(kept[2])) then error('not a count') end
  local start, keptStart = math.floor(now / 1000 / length) * length, tonumber(kept[1]) or 0
  if keptStart <= start + ${WINDOWS_AHEAD_MAX} * length then start = math.max(start, keptStart) end
  local used = keptStart == start and tonumber(kept[2]) or 0
  local isOver = used >= calls and 1 or 0
  if isTake then ${NOTE_CALLER}
    if isOver == 0 then
      used = used + 1
      redis.call('HSET', KEYS[1], 'start', string.format('%.0f', start), 'calls', string.format('%.0f', used))
      local keptMs = (start + length) * 1000 - now + 1000
      redis.call('PEXPIRE', KEYS[1], string.format('%.0f', keptMs))
      if redis.call('PTTL', callers) < keptMs then
        redis.call('PEXPIRE', callers, string.format('%.0f', keptMs + length * 1000))
      end
    end
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
  maxCounted?: number | undefined
}

/** Counts that several processes share. Keys go by themselves when their window is over. */
export function createRedisRateCounters({
  redis,
  prefix,
  clock,
  maxCounted = MAX_COUNTED,
}: Options): RateCounters {
  const now = () => clock?.now() ?? ''
  const keyOf = ({ name }: RateLimit, client: string) => `${prefix}rate:${name} ${client}`
  const count = async (limit: RateLimit, client: string, how: 'take' | 'look'): Promise<RateCount> => {
    const { calls, windowS } = limit
    const args = [now(), calls, windowS, how, `${prefix}rate-callers`, maxCounted]
    const reply = await redis.run(COUNT, keyOf(limit, client), args)
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
