import { isIP } from 'node:net'
import { z } from 'zod'
import { findDatabaseFault } from '../../core/addresses/database-address.ts'
import { findRedisFault } from '../../core/addresses/redis-address.ts'
import { findConfirmations } from '../../core/confirmations.ts'
import { secret } from '../../core/secret.ts'

/** Environment values are text: digits only, no `1e3`, no `0x10`, no spaces. */
export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`)
}

export const text = z.string().min(1)

export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` })
export const email = z.email({ error: 'must be an e-mail address' })

export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' })
/** An address that we call: `fetch` refuses one with a password, and its error would show it. */
export const calledUrl = httpUrl.refine((url) => {
  const { username = '', password = '' } = URL.parse(url) ?? {}
  return username === '' && password === ''
}, 'must have no user name or password; a key may stand in its path or query')
export const wsUrl = z.url({ protocol: /^wss?$/, error: 'must be a ws(s) address' })

/** Never printed. */
export const secretText = z.string().min(16, 'must have at least 16 characters').transform(secret)

/** Of a server with a name and a password in its address: never printed. */
const serverUrl = (findFault: (url: string) => string | undefined) =>
  z
    .string()
    .superRefine((url, context) => {
      const message = findFault(url)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    })
    .transform(secret)
export const databaseUrl = serverUrl(findDatabaseFault)
export const redisUrl = serverUrl(findRedisFault)

/** secp256k1: keys are numbers from 1 to one below this. */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
/** Of an account on an EVM chain; never printed. */
export const privateKey = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')
  .refine(isOnCurve, 'is no private key: copy it again')
  .transform(secret)

function isOnCurve(key: string): boolean {
  // What is no number at all has its own message.
  if (!/^0x[0-9a-f]+$/i.test(key)) return true
  return BigInt(key) > 0n && BigInt(key) < CURVE_ORDER
}

export const usdText = z
  .string()
  .regex(/^(0|[1-9]\d{0,8})(\.\d{1,6})?$/, 'must be an amount in dollars like 0.50')
export const confirmationsText = z
  .string()
  .refine(
    (text) => findConfirmations(text) !== undefined,
    'must be 1 to 999 blocks, with more from a price on after commas, like 1,3@0.50,10@5',
  )

const commaList = z.string().transform((list) =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)

export const httpUrlList = commaList.refine(
  (urls) => urls.length > 0 && urls.every((url) => calledUrl.safeParse(url).success),
  'must be http(s) addresses without user name or password, comma-separated',
)

/** Addresses that paths are added to. */
export const httpRootList = httpUrlList.refine(
  (urls) => !urls.some((url) => /[?#]/.test(url)),
  'must have no query (?) and no fragment (#): paths are added to them',
)

/** An address that paths are added to. Redirects and `Link` headers begin at the root, so it has no path of its own. */
export const siteUrl = httpUrl.refine(
  // What is no address at all has its own message.
  (url) => !URL.canParse(url) || isRoot(url),
  'must have no user, password, path, query or fragment: a name of its own, like https://signals.example.com',
)

function isRoot(url: string): boolean {
  const { username, password, pathname } = new URL(url)
  return username === '' && password === '' && pathname === '/' && !/[?#]/.test(url)
}

/** Travels in an `Authorization` header. */
export const headerSecret = z
  .string()
  .regex(/^[\x21-\x7e]{16,512}$/, 'must have 16 to 512 characters of ASCII, without spaces')
  .transform(secret)

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_]([a-z0-9_-]{0,62}))*$/i
export const host = z
  .string()
  .refine((name) => isIP(name) !== 0 || HOST_NAME.test(name), 'must be an IP address or a host name')

export const cidrList = commaList.refine(
  (cidrs) => cidrs.every(isCidr),
  'must be CIDRs like 10.0.0.0/8, comma-separated',
)

function isCidr(cidr: string): boolean {
  const [address = '', bits, ...rest] = cidr.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}
