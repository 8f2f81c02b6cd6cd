import { createHmac, randomBytes } from 'node:crypto'
import { createBoundedCache } from '../core/bounded-cache.ts'

const KEY_BYTES = 32
const HASH_CHARS = 10
const REMEMBERED = 10_000

/**
 * A client key as a log may keep it: equal for equal clients, and nobody can go back to the address. All IPv4 addresses
 * can be tried in minutes, so the hash is keyed, and the key ends with the process.
 */
export function createHashedClient(key: Uint8Array = randomBytes(KEY_BYTES)): (client: string) => string {
  const remembered = createBoundedCache<string, string>({ capacity: REMEMBERED })
  return (client) => {
    const known = remembered.get(client)
    if (known !== undefined) return known
    const hash = createHmac('sha256', key).update(client).digest('base64url').slice(0, HASH_CHARS)
    remembered.set(client, hash)
    return hash
  }
}
