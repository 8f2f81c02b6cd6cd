import { type RedisConnection, script } from '../../access/redis/connection.ts'

/** Who leads: a later term has a larger epoch; the token tells two apart that were given the same by mistake. */
export type Term = { epoch: number; token: string }
/** `ageMs`: since Redis got it, on the clock of Redis. */
type LogEntry = { id: string; text: string; ageMs: number }
/**
 * `over`: another one leads, and nothing was done. `begun`: nothing of the term was there before, since it is the first
 * entry or Redis has lost everything.
 */
export type Published = {
  as: 'begun' | 'added' | 'over'
  epoch: number
  /** A reader cannot make a whole of the state that is there. */
  isStateWanted: boolean
}
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
  /** Adds an entry, keeps the newest `keep` of them, and sets parts; all at once. */
  publish(term: Term, entry: string, keep: number, parts: ReadonlyMap<string, string>): Promise<Published>
  read(afterId: string, count: number): Promise<LogPage>
  part(name: string): Promise<string | undefined>
  /** Asks the leader to write its whole state. */
  wantState(): Promise<void>
  /** False where the term is over. */
  putChunk(term: Term, name: string, text: string): Promise<boolean>
  dropChunks(term: Term, names: readonly string[]): Promise<boolean>
  chunk(name: string): Promise<string | undefined>
}

/** A wish that nobody hears is forgotten. */
const WANTED_FOR_MS = 5_000

/** Before the first entry. */
export const LOG_START = '0-0'

/** Whoever begins a term finds nothing of an earlier one: its numbers mean something else. */
const PUBLISH = script(`
local term = ARGV[1] .. ' ' .. ARGV[2]
local held = redis.call('GET', KEYS[1] .. 'leader')
local as = 'added'
if held ~= term then
  local epoch = held and string.match(held, '^(%d+) ')
  if epoch and tonumber(epoch) >= tonumber(ARGV[1]) then
    return {'over', epoch, 0}
  end
  redis.call('DEL', KEYS[1] .. 'log', KEYS[1] .. 'state', KEYS[1] .. 'chunks')
  redis.call('SET', KEYS[1] .. 'leader', term)
  as = 'begun'
end
redis.call('XADD', KEYS[1] .. 'log', 'MAXLEN', ARGV[3], '*', 'entry', ARGV[4])
for i = 5, #ARGV, 2 do redis.call('HSET', KEYS[1] .. 'state', ARGV[i], ARGV[i + 1]) end
return {as, ARGV[1], redis.call('DEL', KEYS[1] .. 'wanted')}`)

const READ = script(`
local newest = redis.call('XREVRANGE', KEYS[1] .. 'log', '+', '-', 'COUNT', 1)
local found = redis.call('XRANGE', KEYS[1] .. 'log', '(' .. ARGV[1], '+', 'COUNT', ARGV[2])
return {redis.call('GET', KEYS[1] .. 'leader') or '', newest[1] and newest[1][1] or '', found, redis.call('TIME')}`)

const WANT = script(`return redis.call('SET', KEYS[1] .. 'wanted', '1', 'PX', ARGV[1])`)
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
      return toPublished(await redis.run(PUBLISH, key, [epoch, token, keep, entry, ...[...parts].flat()]))
    },
    read: async (afterId, count) => toPage(await redis.run(READ, key, [afterId, count])),
    wantState: async () => void (await redis.run(WANT, key, [WANTED_FOR_MS])),
    part: async (name) => toTextOrNone(await redis.run(PART, key, [name])),
    putChunk: async ({ epoch, token }, name, text) =>
      (await redis.run(PUT_CHUNK, key, [epoch, token, name, text])) === 1,
    dropChunks: async ({ epoch, token }, names) =>
      (await redis.run(DROP_CHUNKS, key, [epoch, token, ...names])) === 1,
    chunk: async (name) => toTextOrNone(await redis.run(CHUNK, key, [name])),
  }
}

function toPublished(reply: unknown): Published {
  const [as, epoch, wishes] = Array.isArray(reply) ? reply : []
  if (as !== 'begun' && as !== 'added' && as !== 'over')
    throw new Error('redis answers with something else than what became of an entry')
  return { as, epoch: Number(epoch), isStateWanted: wishes === 1 }
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
