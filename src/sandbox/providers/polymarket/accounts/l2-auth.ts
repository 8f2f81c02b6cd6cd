import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type ApiKeys, isEqual, isSameAddress } from '../../../prediction/accounts/api-keys.ts'
import { Refusal } from '../../../prediction/accounts/refusal.ts'
import type { ApiKey } from '../../../prediction/accounts/rows.ts'
import { isTimely } from './l1-auth.ts'

type Signed = { method: string; path: string; headers: IncomingHttpHeaders; body: Buffer }

/** The key that signed the request (HMAC over time, method, path and body); throws a `Refusal`. */
export function readL2(request: Signed, keys: ApiKeys, nowMs: number): ApiKey {
  const read = (name: string) => {
    const value = request.headers[name]
    return typeof value === 'string' ? value : ''
  }
  const timestamp = read('poly_timestamp')
  const key = keys.find(read('poly_api_key'))
  if (!key || !isTimely(timestamp, nowMs)) throw refused()
  const mac = createHmac('sha256', Buffer.from(key.secret, 'base64url'))
    .update(timestamp + request.method + request.path)
    .update(request.body)
    .digest('base64')
  const isRight =
    isEqual(toUrlSafe(mac), read('poly_signature')) &&
    isEqual(key.passphrase, read('poly_passphrase')) &&
    isSameAddress(key.address, read('poly_address'))
  if (!isRight) throw refused()
  keys.touch(key.id)
  return key
}

const refused = () => new Refusal(401, 'Unauthorized/Invalid api key')
/** As the venue wants it: the letters of `base64url`, with its padding. */
const toUrlSafe = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_')
