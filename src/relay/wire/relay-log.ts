import { type RedisConnection, script } from '../../access/redis/connection.ts'

/** Who leads: a later term has a larger epoch; the token tells two apart that were given the same by mistake. */
export type Term = { epoch: number; token: string }
/** `ageMs`: since Redis got it, on the clock of Redis. */
type LogEntry = { id: string; text: string; ageMs: number }
export type LogPage = {
  /** Undefined while nobody has ever led. */
  epoch: number | undefined
  /** Of the log; undefined while it is empty. */
  newestId: string | undefined
  entries: readonly LogEntry[]
}

/**
 * What the leader says, in Redis: a log of entries, the parts of the state that a late joiner begins with, and chunks of
 * what is too large for either. Every method rejects soon where Redis is lost.
 */
export type RelayLog = {
  /**
   * Adds an entry, keeps the newest `keep` of them, and sets parts; all at once. Gives the epoch of the leader: another
   * one than the term's says that nothing was done, and that the term is over.
   */
  publish(term: Term, entry: string, keep: number, parts: ReadonlyMap<string, string>): Promise<number>
  read(afterId: string, count: number): Promise<LogPage>
  part(name: string): Promise<string | undefined>
  /** False where the term is over. */
  putChunk(term: Term, name: string, text: string): Promise<boolean>
  dropChunks(term: Term, names: readonly string[]): Promise<boolean>
  chunk(name: string): Promise<string | undefined>
}

/** Before the first entry. */
export const LOG_START = '0-0'

/** Whoever begins a term finds nothing of an earlier one: its numbers mean something else. */
const PUBLISH = script(`
local term = ARGV[1] .. ' ' .. ARGV[2]
local held = redis.call('GET', KEYS[1] .. 'leader')
if held ~= term then
  local epoch = held and string.match(held, '^(%d+) ')
  if epoch and tonumber(epoch) >= tonumber(ARGV[1]) then
    if tonumber(epoch) > tonumber(ARGV[1]) then return epoch end
    return '-1'
  end
  redis.call('DEL', KEYS[1] .. 'log', KEYS[1] .. 'state', KEYS[1] .. 'chunks')
  redis.call('SET', KEYS[1] .. 'leader', term)
end
redis.call('XADD', KEYS[1] .. 'log', 'MAXLEN', ARGV[3], '*', 'entry', ARGV[4])
for i = 5, #ARGV, 2 do redis.call('HSET', KEYS[1] .. 'state', ARGV[i], ARGV[i + 1]) end
return ARGV[1]`)

const READ = script(`
local newest = redis.call('XREVRANGE', KEYS[1] .. 'log', '+', '-', 'COUNT', 1)
local found = redis.call('XRANGE', KEYS[1] .. 'log', '(' .. ARGV[1], '+', 'COUNT', ARGV[2])
return {redis.call('GET', KEYS[1] .. 'leader') or '', newest[1] and newest[1][1] or '', found, redis.call('TIME')}`)

const PART = script(`return redis.call('HGET', KEYS[1] .. 'state', ARGV[1])`)
const CHUNK = script(`return redis.call('HGET', KEYS[1] .. 'chunks', ARGV[1])`)
const PUT_CHUNK = script(`
if redis.call('GET', KEYS[1] .. 'leader') ~= ARGV[1] .. ' ' .. ARGV[2] then return 0 end
redis.call('HSET', KEYS[1] .. 'chunks', ARGV[3], ARGV[4])
return 1`)
const DROP_CHUNKS = script(`
if redis.call('GET', KEYS[1] .. 'leader') ~= ARGV[1] .. ' ' .. ARGV[2] then return 0 end
for i = 3, #ARGV do redis.call('HDEL', KEYS[1] .. 'chunks', ARGV[i]) end
return 1`)

export function createRelayLog({
  redis,
  prefix,
}: {
  redis: Pick<RedisConnection, 'run'>
  /** Of `keyPrefix`. */
  prefix: string
}): RelayLog {
  const key = `${prefix}relay:`
  return {
    async publish({ epoch, token }, entry, keep, parts) {
      const reply = await redis.run(PUBLISH, key, [epoch, token, keep, entry, ...[...parts].flat()])
      const leading = Number(reply)
      if (!Number.isSafeInteger(leading)) throw new Error('redis answers with something else than an epoch')
      return leading
    },
    read: async (afterId, count) => toPage(await redis.run(READ, key, [afterId, count])),
    part: async (name) => toTextOrNone(await redis.run(PART, key, [name])),
    putChunk: async ({ epoch, token }, name, text) =>
      (await redis.run(PUT_CHUNK, key, [epoch, token, name, text])) === 1,
    dropChunks: async ({ epoch, token }, names) =>
      (await redis.run(DROP_CHUNKS, key, [epoch, token, ...names])) === 1,
    chunk: async (name) => toTextOrNone(await redis.run(CHUNK, key, [name])),
  }
}

function toPage(reply: unknown): LogPage {
  if (!Array.isArray(reply) || reply.length !== 4 || !Array.isArray(reply[2]))
    throw new Error('redis answers with something else than a page of the log')
  const [leader, newestId, rows, time] = reply
  const nowMs = Number(time?.[0]) * 1_000 + Math.floor(Number(time?.[1]) / 1_000)
  const epoch = Number(/^(\d+) /.exec(String(leader))?.[1] ?? Number.NaN)
  return {
    epoch: Number.isSafeInteger(epoch) ? epoch : undefined,
    newestId: newestId === '' ? undefined : String(newestId),
    entries: rows.map((row) => toEntry(row, nowMs)),
  }
}

/** Whatever else stands in the log is an entry that says nothing. */
function toEntry(row: unknown, nowMs: number): LogEntry {
  const [id, fields] = Array.isArray(row) ? row : []
  const [field, text] = Array.isArray(fields) ? fields : []
  const ageMs = Math.max(0, nowMs - Number.parseInt(String(id), 10)) || 0
  return { id: String(id), text: field === 'entry' && typeof text === 'string' ? text : '', ageMs }
}

const toTextOrNone = (reply: unknown): string | undefined => (typeof reply === 'string' ? reply : undefined)

/** Ids of a log are two numbers, the first of them a time. */
export function isEarlierId(a: string, b: string): boolean {
  const [aMs = 0, aNth = 0] = a.split('-').map(Number)
  const [bMs = 0, bNth = 0] = b.split('-').map(Number)
  return aMs === bMs ? aNth < bNth : aMs < bMs
}
