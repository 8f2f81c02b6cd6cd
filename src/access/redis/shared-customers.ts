import { createHmac } from 'node:crypto'
import { HOUR_MS } from '../../core/time/time.ts'
import { REPLY_KEPT_MS } from '../../ledger/ports/payment-book.ts'
import type { SharedCustomers } from '../../payments/gate/shared-customers.ts'
import { type RedisConnection, script } from './connection.ts'
import { createKeptNotes } from './kept-notes.ts'

/** Replies are deleted once an hour, so some are there for longer than they are kept. */
const KEPT_MS = REPLY_KEPT_MS + 2 * HOUR_MS

/** 96 bits: enough that no two are ever the same, and nobody can make one without the secret. */
const HASH_CHARS = 16
const HASH = new RegExp(`^[\\w-]{${HASH_CHARS}}$`)

/** About 250 bytes each, so that all together have 130 MB: Redis must not fill up with them. More are not noted. */
const NOTED_PER_HOUR = 20_000

/** One for both: where Redis has forgotten scripts and they are sent again, a receiver does not overtake his buyer. */
const NOTE = script(`
  if redis.call('EXISTS', KEYS[1]) == 0 then
    if ARGV[1] ~= 'buyer' then return 0 end
    local noted = redis.call('INCR', ARGV[4])
    if noted == 1 then redis.call('PEXPIRE', ARGV[4], ${HOUR_MS}) end
    if noted > tonumber(ARGV[5]) then return 0 end
  end
  if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then return 0 end
  return redis.call('PEXPIRE', KEYS[1], ARGV[3])`)

const LOOK = script(`return redis.call('HMGET', KEYS[1], 'buyer', 'receiver')`)

type Options = {
  redis: Pick<RedisConnection, 'run' | 'onBack'>
  prefix: string
  /** The same in every process. */
  secret: Uint8Array
  notedPerHour?: number
}

/**
 * A hash for each payment that buys something, with who bought and who got the reply. All IPv4 addresses can be tried in
 * minutes, so what stands there is keyed, and made with the payment: nobody can go back to an address, nor tell whether
 * two payments are of one customer. With another secret nothing is found, and so nobody is taken for another one.
 * That Redis is lost is said by the connection, once; what could not be noted is, when it is back.
 */
export function createRedisSharedCustomers(options: Options): SharedCustomers {
  const { redis, prefix, secret, notedPerHour = NOTED_PER_HOUR } = options
  const hash = (text: string) =>
    createHmac('sha256', secret).update(text).digest('base64url').slice(0, HASH_CHARS)
  const keyOf = (paymentKey: string) => `${prefix}sold:${hash(paymentKey)}`
  const customerHash = (paymentKey: string, customer: string) => hash(`${paymentKey}\n${customer}`)
  const limit = [`${prefix}sold-in-hour`, notedPerHour]
  const write = (key: string, as: string, noted: string) =>
    redis.run(NOTE, key, [as, noted, KEPT_MS, ...limit])
  const kept = createKeptNotes(write)
  redis.onBack(() => void kept.writeAll())
  return {
    note(paymentKey, as, customer) {
      const [key, noted] = [keyOf(paymentKey), customerHash(paymentKey, customer)]
      if (kept.has(key)) kept.keep(key, as, noted)
      else write(key, as, noted).catch(() => kept.keep(key, as, noted))
    },
    async compare(paymentKey, customer) {
      const reply = await redis.run(LOOK, keyOf(paymentKey), []).catch(() => undefined)
      const [buyer, receiver] = Array.isArray(reply) ? reply : []
      const own = customerHash(paymentKey, customer)
      return { isBuyer: isSame(buyer, own), isReceiver: isSame(receiver, own) }
    },
  }
}

/** What is no hash of ours tells nothing: nobody is refused for it. */
const isSame = (noted: unknown, own: string): boolean | undefined =>
  typeof noted === 'string' && HASH.test(noted) ? noted === own : undefined
