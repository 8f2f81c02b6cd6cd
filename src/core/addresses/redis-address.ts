/** What `redis://[user][:password]@host[:port][/db]` says; `rediss://` asks for TLS. */
export type RedisAddress = {
  host: string
  port: number
  username: string | undefined
  password: string | undefined
  db: number
  isTls: boolean
}

const DEFAULT_PORT = 6379

/** What is wrong with it, undefined where nothing is. */
export function findRedisFault(text: string): string | undefined {
  try {
    parseRedisAddress(text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Throws what is wrong with it, without the address: it may hold a password. */
export function parseRedisAddress(text: string): RedisAddress {
  const url = URL.parse(text)
  if (url === null) throw new Error('the address of Redis is no address; it looks like redis://host:6379/0')
  const { protocol, hostname, port, username, password, pathname, search, hash } = url
  if (protocol !== 'redis:' && protocol !== 'rediss:')
    throw new Error(`the address of Redis begins with redis:// or rediss://, not ${protocol}//`)
  if (hostname === '') throw new Error('the address of Redis names no host')
  if (search !== '' || hash !== '')
    throw new Error('the address of Redis ends with the number of its database')
  const db = pathname.replace(/^\//, '') || '0'
  if (!/^\d{1,5}$/.test(db)) throw new Error('the database of Redis is a number, such as redis://host:6379/2')
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? DEFAULT_PORT : Number(port),
    username: decode(username),
    password: decode(password),
    db: Number(db),
    isTls: protocol === 'rediss:',
  }
}

function decode(part: string): string | undefined {
  if (part === '') return undefined
  try {
    return decodeURIComponent(part)
  } catch {
    throw new Error(
      'the name or password in the address of Redis has a % that begins no character: write %25',
    )
  }
}
