import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Table } from './account-store.ts'
import { Refusal } from './refusal.ts'
import type { ApiKey } from './rows.ts'

export type ApiKeys = {
  /** One key for an address and a nonce; a second one is refused. */
  create(address: string, nonce: string): ApiKey
  derive(address: string, nonce: string): ApiKey
  of(address: string): readonly ApiKey[]
  delete(id: string): void
  find(id: string): ApiKey | undefined
  /** The key was used: it is not the next that is given up. */
  touch(id: string): void
  /** The key, where secret and passphrase belong to it. */
  findMatching(given: { apiKey: string; secret: string; passphrase: string }): ApiKey | undefined
}

const MAX_KEYS_PER_ADDRESS = 20

/** There is always room for a key: the one that nobody has used for longest is given up, never one of the operator. */
export function createApiKeys(table: Table<ApiKey>, nowMs: () => number, operator = ''): ApiKeys {
  const usedMs = new Map<string, number>()
  const touch = (id: string) => void usedMs.set(id, nowMs())
  const forget = (id: string) => {
    usedMs.delete(id)
    table.delete(id)
  }
  const giveUpIdlest = () => {
    const idleSince = ({ id, createdMs }: ApiKey) => usedMs.get(id) ?? createdMs
    const others = table.all().filter(({ address }) => !isSameAddress(address, operator))
    const [idlest] = others.sort((a, b) => idleSince(a) - idleSince(b))
    if (idlest) forget(idlest.id)
  }
  const of = (address: string) => table.all().filter((key) => isSameAddress(key.address, address))
  const find = (address: string, nonce: string) => of(address).find((key) => key.nonce === nonce)
  return {
    create(address, nonce) {
      const isFull = of(address).length >= MAX_KEYS_PER_ADDRESS
      if (isFull || find(address, nonce)) throw new Refusal(400, 'Could not create api key')
      const key = {
        id: toUuid(randomBytes(16)),
        address,
        nonce,
        secret: randomBytes(32).toString('base64url').padEnd(44, '='),
        passphrase: randomBytes(32).toString('hex'),
        createdMs: nowMs(),
      }
      if (table.isFull()) giveUpIdlest()
      table.put(key)
      return key
    },
    derive(address, nonce) {
      const key = find(address, nonce)
      if (!key) throw new Refusal(400, 'Could not derive api key!')
      touch(key.id)
      return key
    },
    of,
    delete: forget,
    find: table.get,
    touch,
    findMatching({ apiKey, secret, passphrase }) {
      const key = table.get(apiKey)
      const isRight = key && isEqual(secret, key.secret) && isEqual(passphrase, key.passphrase)
      if (!isRight) return undefined
      touch(key.id)
      return key
    },
  }
}

export const isSameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Takes the same time wherever the texts differ. */
export function isEqual(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b))
}
const digest = (text: string) => createHash('sha256').update(text).digest()

export function toUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex').slice(0, 32)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
