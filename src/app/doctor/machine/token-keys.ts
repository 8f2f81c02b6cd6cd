import { readTokenKeys } from '../../../access/wallet/token-keys.ts'
import { type Check, ok } from '../check.ts'

/** That the keys of tokens can be read: a start is refused where they are damaged. */
export function tokenKeysCheck(dataDir: string): Check {
  return {
    name: 'token-keys',
    group: 'machine',
    advice:
      'put token-keys.json back with ./tollbook restore <backup> --keys-only --force, or remove it; wallets then have to sign in again',
    async run() {
      const keys = readTokenKeys(dataDir)
      if (!keys) return ok('there are none yet: the first start makes them')
      const { kid, since_ms } = keys.present
      return ok(`${kid} signs since ${new Date(since_ms).toISOString()}`)
    },
  }
}
