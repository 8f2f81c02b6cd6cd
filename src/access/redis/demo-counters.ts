import type { DemoCounters } from '../../ledger/ports/demo-counters.ts'
import { type RedisConnection, script } from './connection.ts'
import { countersLost } from './redis-fault.ts'
import { parseWholeNumbers } from './whole-numbers.ts'

/** Clocks of several processes may differ at midnight, and reports ask for yesterday. */
const KEPT_S = 3 * 86_400

/** The counts of a day are one hash. A value that is no number is no zero. */
const READ = `
  local function usedBy(client)
    local value = redis.call('HGET', KEYS[1], client)
    return value and (tonumber(value) or error('not a count')) or 0
  end`

const USED = script(`${READ}
  local used = {}
  for at = 1, #ARGV do used[at] = usedBy(ARGV[at]) end
  return used`)

const TAKE = script(`${READ}
  local used, isTaken = {}, 1
  for at = 2, #ARGV, 2 do
    used[at / 2] = usedBy(ARGV[at])
    if used[at / 2] >= tonumber(ARGV[at + 1]) then isTaken = 0 end
  end
  if isTaken == 1 then
    for at = 2, #ARGV, 2 do used[at / 2] = redis.call('HINCRBY', KEYS[1], ARGV[at], 1) end
    redis.call('EXPIRE', KEYS[1], ARGV[1])
  end
  return {isTaken, unpack(used)}`)

/** Who has used nothing leaves nothing behind. */
const GIVE_BACK = script(`${READ}
  for at = 1, #ARGV do
    local used = usedBy(ARGV[at])
    if used > 1 then redis.call('HINCRBY', KEYS[1], ARGV[at], -1)
    elseif used == 1 then redis.call('HDEL', KEYS[1], ARGV[at]) end
  end
  return {1}`)

const LOAD = script(`return redis.call('HGETALL', KEYS[1])`)

type Options = { redis: Pick<RedisConnection, 'run'>; prefix: string }

/** As durable as Redis is set up to be. */
export function createRedisDemoCounters({ redis, prefix }: Options): DemoCounters {
  const keyOf = (day: number) => `${prefix}demo:${day}`
  return {
    load: async (day) => parseCounts(await redis.run(LOAD, keyOf(day), [])),
    used: async (day, keys) => parseWholeNumbers(await redis.run(USED, keyOf(day), keys), keys.length),
    async take(day, limits) {
      const reply = await redis.run(TAKE, keyOf(day), [KEPT_S, ...limits.flat()])
      const [isTaken, ...used] = parseWholeNumbers(reply, limits.length + 1)
      return { isTaken: isTaken === 1, used }
    },
    async giveBack(day, keys) {
      parseWholeNumbers(await redis.run(GIVE_BACK, keyOf(day), keys), 1)
    },
  }
}

/** Names and counts by turns. */
function parseCounts(reply: unknown): ReadonlyMap<string, number> {
  const isList = Array.isArray(reply) && reply.every((each) => typeof each === 'string')
  if (!isList || reply.length % 2 !== 0) throw countersLost(new Error('redis answers what are no counts'))
  const names = reply.filter((_, at) => at % 2 === 0)
  const counts = reply.filter((_, at) => at % 2 === 1).map(Number)
  const known = parseWholeNumbers(counts, names.length)
  return new Map(names.map((name, at) => [name, known[at] ?? 0]))
}
