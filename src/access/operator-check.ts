import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Scope } from '../catalog/access.ts'
import type { Callers } from '../catalog/caller.ts'
import { createBoundedCache } from '../core/bounded-cache.ts'
import type { Secret } from '../core/secret.ts'
import { ServiceError } from '../core/service-error.ts'
import type { Clock } from '../core/time/clock.ts'
import type { ClientKey } from './client-key.ts'

type Ports = { clock: Clock; clientKey: ClientKey; key: Secret | undefined }
export type OperatorCheck = (request: IncomingMessage, scope: Scope) => Callers['operator']

const BEARER = /^Bearer +([\x21-\x7e]{1,512})$/i
const FREE_TRIES = 5
const MAX_WAIT_S = 300
/** Clients whose wrong keys are remembered; the oldest gives way. */
const MAX_REMEMBERED = 10_000

/** The operator's key as `Authorization: Bearer`. Without a configured key nobody is the operator. */
export function createOperatorCheck({ clock, clientKey, key }: Ports): OperatorCheck {
  const expected = key && digestOf(key.reveal())
  const guesses = createGuesses(clock)
  return (request, scope) => {
    const client = clientKey(request)
    const given = BEARER.exec(request.headers.authorization ?? '')?.[1]
    if (given === undefined) throw refused('this needs the operator key')
    if (!expected || !timingSafeEqual(expected, digestOf(given))) {
      guesses.add(client)
      throw refused('that is not the operator key')
    }
    return { kind: 'operator', client, scope }
  }
}

/**
 * After a few wrong keys a client is told to wait, longer each time. The right key always opens: whoever shares the
 * operator's address could lock them out otherwise, and a key of 16 characters is not found by guessing.
 */
function createGuesses(clock: Clock) {
  const wrong = createBoundedCache<string, { count: number; waitUntilMs: number }>({
    capacity: MAX_REMEMBERED,
  })
  return {
    add(client: string): void {
      const known = wrong.get(client)
      const waitMs = (known?.waitUntilMs ?? 0) - clock.now()
      if (waitMs > 0)
        throw new ServiceError('rate_limited', 'too many wrong operator keys from this address', {
          retryAfterS: Math.ceil(waitMs / 1000),
        })
      const isForgotten = waitMs < -MAX_WAIT_S * 1000
      const count = (isForgotten ? 0 : (known?.count ?? 0)) + 1
      const waitS = count < FREE_TRIES ? 0 : Math.min(MAX_WAIT_S, 2 ** (count - FREE_TRIES))
      wrong.set(client, { count, waitUntilMs: clock.now() + waitS * 1000 })
    },
  }
}

/** Digests are of one length, so comparing them tells nothing of the key's. */
const digestOf = (text: string) => createHash('sha256').update(text).digest()

const refused = (message: string) =>
  new ServiceError('unauthorized', message, { hint: 'send Authorization: Bearer <TOLLBOOK_OPERATOR_KEY>' })
