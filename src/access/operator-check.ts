import type { IncomingMessage } from 'node:http'
import type { Scope } from '../catalog/access.ts'
import type { Callers } from '../catalog/caller.ts'
import { createBoundedCache } from '../core/bounded-cache.ts'
import { ServiceError } from '../core/service-error.ts'
import type { Clock } from '../core/time/clock.ts'
import type { ClientKey } from './client-key.ts'
import { isGenerated } from './new-operator-key.ts'
import { ENVIRONMENT, findKey, type OperatorKeys, type WorkingKey } from './operator-keys.ts'

type Ports = { clock: Clock; clientKey: ClientKey; keys: OperatorKeys }
/** Whose key came with a request. What it opens is asked for next. */
export type Operator = { client: string; key: WorkingKey }
export type IdentifyOperator = (request: IncomingMessage) => Promise<Operator>

const BEARER = /^Bearer +([\x21-\x7e]{1,512})$/i
const FREE_TRIES = 5
const MAX_WAIT_S = 300
/** Clients whose wrong keys are remembered; the oldest gives way. */
const MAX_REMEMBERED = 10_000

/** One of the operator's keys as `Authorization: Bearer`. Without any key nobody is the operator. */
export function createOperatorCheck({ clock, clientKey, keys }: Ports): IdentifyOperator {
  const guesses = createGuesses(clock)
  return async (request) => {
    // Asked before anything is waited for: a caller that leaves takes its socket along.
    const client = clientKey(request)
    const given = BEARER.exec(request.headers.authorization ?? '')?.[1]
    if (given === undefined) throw refused("this needs one of the operator's keys")
    const working = await keys.working()
    // What a person thought up can be guessed, so while a client has to wait it is not even compared. Asked after the
    // wait: of a thousand guesses at once all but the first few find it.
    if (!isGenerated(given)) guesses.checkWait(client)
    const key = findKey(working, given)
    if (!key) {
      guesses.add(client)
      throw refused("that is none of the operator's keys, or it was revoked")
    }
    keys.noteUse(key)
    return { client, key }
  }
}

/** Lets a known operator in where its key has the scope; `read` is in every key. */
export function admitOperator({ client, key }: Operator, scope: Scope): Callers['operator'] {
  if (scope !== 'read' && !key.scopes.includes(scope))
    throw new ServiceError(
      'forbidden',
      `this needs a key with the scope ${scope}, and this one has only ${key.scopes.join(' and ')}`,
      { hint: `use another key, or make one: ./tollbook keys make --label <name> --scope ${scope}` },
    )
  return { kind: 'operator', client, scope, by: nameOf(key) }
}

/** Label and id: a key that was rotated has the label of its successor. */
const nameOf = ({ id, label }: WorkingKey): string => (id === ENVIRONMENT ? id : `${label} (${id})`)

/**
 * After a few wrong keys a client is told to wait, longer each time. A right key that was made here always opens:
 * whoever shares the operator's address could lock them out otherwise.
 */
function createGuesses(clock: Clock) {
  const wrong = createBoundedCache<string, { count: number; waitUntilMs: number }>({
    capacity: MAX_REMEMBERED,
  })
  const waitMsOf = (client: string) => (wrong.get(client)?.waitUntilMs ?? 0) - clock.now()
  const checkWait = (client: string): void => {
    const waitMs = waitMsOf(client)
    if (waitMs > 0)
      throw new ServiceError('rate_limited', 'too many wrong operator keys from this address', {
        retryAfterS: Math.ceil(waitMs / 1000),
        hint: 'wait for Retry-After, or use a key that ./tollbook keys make printed: such a key always opens',
      })
  }
  return {
    checkWait,
    add(client: string): void {
      checkWait(client)
      const isForgotten = waitMsOf(client) < -MAX_WAIT_S * 1000
      const count = (isForgotten ? 0 : (wrong.get(client)?.count ?? 0)) + 1
      const waitS = count < FREE_TRIES ? 0 : Math.min(MAX_WAIT_S, 2 ** (count - FREE_TRIES))
      wrong.set(client, { count, waitUntilMs: clock.now() + waitS * 1000 })
    },
  }
}

const refused = (message: string) =>
  new ServiceError('unauthorized', message, {
    hint: 'send Authorization: Bearer <key>, where the key is TOLLBOOK_OPERATOR_KEY or one that ./tollbook keys make printed',
  })
