import { createHash } from 'node:crypto'
import { Redis, ReplyError } from 'ioredis'
import { parseRedisAddress } from '../../core/addresses/redis-address.ts'
import type { Log } from '../../core/log.ts'
import { countersLost, explainRedisFault, isReadOnly } from './redis-fault.ts'

/** One key, and what the script gets beside it. Redis runs it whole, or not at all. */
export type Script = { lua: string; sha: string }
export const script = (lua: string): Script => ({ lua, sha: createHash('sha1').update(lua).digest('hex') })

export type RedisConnection = {
  /** Rejects with `counters_unavailable`, soon: nothing waits for a connection. What was asked may have been done. */
  run(script: Script, key: string, args: readonly (string | number)[]): Promise<unknown>
  /** Resolves when it takes what is written: a replica answers too. */
  ping(): Promise<void>
  /** What it throws away when it is full, by its own word; undefined where it does not tell. */
  evicts(): Promise<string | undefined>
  /** Whether it logs what it is told, to have it again after a restart; undefined where it does not tell us. */
  keeps(): Promise<boolean | undefined>
  /** Calls it whenever Redis may be asked again: it is connected, or has done a call after one that failed. */
  onBack(listener: () => void): void
  close(): void
}

/** A free call may wait so long for its count. */
const ANSWER_WITHIN_MS = 500
const CONNECT_WITHIN_MS = 2_000
const RETRY_AFTER_MS = { first: 50, most: 1_000 }
const PING_KEY = 'tollbook:ping'
const PING_KEPT_MS = 10_000
/** More than one process can have under way within the time for an answer. */
const WAITING_MAX = 10_000

type Options = { url: string; log: Pick<Log, 'info' | 'warn'> }

/** Connects by itself, now and whenever the connection was lost. */
export function openRedis({ url, log }: Options): RedisConnection {
  const client = new Redis(optionsOf(url))
  const listeners: (() => void)[] = []
  const tellBack = () => {
    for (const listener of listeners) listener()
  }
  const health = watchHealth(log, tellBack)
  let waiting = 0
  let hasBegun = false
  // Each command is told by itself; without a listener an event of this name ends the process.
  client.on('error', health.failed)
  for (const end of ['ready', 'close'] as const)
    client.once(end, () => {
      hasBegun = true
    })
  client.on('ready', tellBack)
  limitGreeting(client)

  const ask = async <T>(command: () => Promise<T>): Promise<T> => {
    if (waiting >= WAITING_MAX) throw countersLost(new Error('too many calls wait for Redis'))
    waiting++
    try {
      return await inTime(command())
    } catch (error) {
      // What came before the first connection was made says nothing of Redis.
      if (hasBegun) health.failed(error)
      // Whoever does not answer gets nothing more to do: the next calls fail at once until it does again.
      if (error instanceof NoAnswer && client.status === 'ready') client.disconnect(true)
      throw countersLost(error)
    } finally {
      waiting--
    }
  }
  return {
    async run({ lua, sha }, key, args) {
      const reply = await ask(() =>
        client.evalsha(sha, 1, key, ...args).catch((error: unknown) => {
          // After a restart or a flush Redis knows no script; nothing was done then.
          if (!isUnknownScript(error)) throw error
          return client.eval(lua, 1, key, ...args)
        }),
      )
      // Only now: one that cannot write can be connected to all the same.
      health.works()
      return reply
    },
    ping: async () => void (await ask(() => client.set(PING_KEY, '1', 'PX', PING_KEPT_MS))),
    evicts: () => ask(() => client.info('memory').then(findPolicy, undefinedIfRefused)),
    keeps: () => ask(() => client.info('persistence').then(findLogged, undefinedIfRefused)),
    onBack: (listener) => void listeners.push(listener),
    close: () => client.disconnect(),
  }
}

function optionsOf(url: string) {
  const { isTls, ...address } = parseRedisAddress(url)
  return {
    ...address,
    ...(isTls ? { tls: {} } : {}),
    protocol: 2,
    disableClientInfo: true,
    connectTimeout: CONNECT_WITHIN_MS,
    // A count that is sent again may be counted twice; one that waits for a connection holds up its call.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times: number) => Math.min(RETRY_AFTER_MS.first * times, RETRY_AFTER_MS.most),
    // After a failover the name leads to another server.
    reconnectOnError: isReadOnly,
  } as const
}

/** Whoever takes the connection and then says nothing is left as well: another one may answer in his place. */
function limitGreeting(client: Redis): void {
  let timer: NodeJS.Timeout | undefined
  const end = () => clearTimeout(timer)
  client.on('connect', () => {
    end()
    timer = setTimeout(() => client.disconnect(true), CONNECT_WITHIN_MS)
  })
  client.on('ready', end)
  client.on('close', end)
  client.on('end', end)
}

class NoAnswer extends Error {
  constructor() {
    super(`no answer within ${ANSWER_WITHIN_MS} ms`)
  }
}

/**
 * Where this process stood still itself, the answer may be there and not read yet: the time is over only after one more
 * look at what has come.
 */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  const over = Promise.withResolvers<never>()
  const timer = setTimeout(() => setImmediate(() => over.reject(new NoAnswer())), ANSWER_WITHIN_MS)
  try {
    return await Promise.race([answer, over.promise])
  } finally {
    clearTimeout(timer)
  }
}

const findPolicy = (info: string) => /^maxmemory_policy:(\S+)/m.exec(info)?.[1]

function findLogged(info: string): boolean | undefined {
  const said = /^aof_enabled:(\d)/m.exec(info)?.[1]
  return said === undefined ? undefined : said === '1'
}

function undefinedIfRefused(error: unknown): undefined {
  if (!(error instanceof Error && error instanceof ReplyError)) throw error
}

const isUnknownScript = (error: unknown) => error instanceof Error && error.message.startsWith('NOSCRIPT')

/** One line when it fails, and one when it works again. */
function watchHealth(log: Options['log'], onWorks: () => void) {
  let why: string | undefined
  return {
    failed(error: unknown) {
      if (why === undefined)
        log.warn({ why: explainRedisFault(error) }, 'redis fails, and with it shared counts')
      why = explainRedisFault(error)
    },
    works() {
      if (why === undefined) return
      log.info({ why }, 'redis works again')
      why = undefined
      onWorks()
    },
  }
}
