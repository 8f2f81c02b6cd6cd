import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Scope } from '../catalog/access.ts'
import type { Callers } from '../catalog/caller.ts'
import { createBoundedCache } from '../core/bounded-cache.ts'
import type { Clock } from '../core/clock.ts'
import type { Secret } from '../core/secret.ts'
import { ServiceError } from '../core/service-error.ts'
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
    guesses.requirePatience(client)
    if (!expected || !timingSafeEqual(expected, digestOf(given))) {
      guesses.add(client)
      throw refused('that is not the operator key')
    }
    guesses.forget(client)
    return { kind: 'operator', client, scope }
  }
}

/** After a few wrong keys a client waits, longer each time, whatever it sends next. */
function createGuesses(clock: Clock) {
  const wrong = createBoundedCache<string, { count: number; waitUntilMs: number }>({
    capacity: MAX_REMEMBERED,
  })
  return {
    requirePatience(client: string): void {
      const waitMs = (wrong.get(client)?.waitUntilMs ?? 0) - clock.now()
      if (waitMs > 0)
        throw new ServiceError('rate_limited', 'too many wrong operator keys from this address', {
          retryAfterS: Math.ceil(waitMs / 1000),
        })
    },
    add(client: string): void {
      const count = (wrong.get(client)?.count ?? 0) + 1
      const waitS = count < FREE_TRIES ? 0 : Math.min(MAX_WAIT_S, 2 ** (count - FREE_TRIES))
      wrong.set(client, { count, waitUntilMs: clock.now() + waitS * 1000 })
    },
    forget(client: string): void {
      if (wrong.get(client)) wrong.set(client, { count: 0, waitUntilMs: 0 })
    },
  }
}

/** Digests are of one length, so comparing them tells nothing of the key's. */
const digestOf = (text: string) => createHash('sha256').update(text).digest()

const refused = (message: string) =>
  new ServiceError('unauthorized', message, { hint: 'send Authorization: Bearer <TOLLBOOK_OPERATOR_KEY>' })
