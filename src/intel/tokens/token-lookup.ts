import { createBoundedCache } from '../../core/bounded-cache.ts'
import type { MayLook } from '../../core/may-look.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'

/** Whether there is such a token at all, which is asked before anybody pays. */
export type TokenLookup = {
  /**
   * Throws `unknown_token`, or `upstream_unavailable` where nobody can tell. Waits no longer than `LOOKUP_WAIT_MS`.
   * Asks `mayLook` only where it would start a look of its own.
   */
  checkExists(address: string, mayLook: MayLook): Promise<void>
}

export const LOOKUP_WAIT_MS = 1_500
/** A token does not go away; the bound is for memory. */
const KNOWN_TOKENS = 20_000
const UNKNOWN_TOKENS = 20_000
/** So long after a look, somebody may have made it. */
const UNKNOWN_FOR_MS = MINUTE_MS
/** Looks under way, of all clients together; what one client may start is for `mayLook` to say. */
const MAX_LOOKS = 200

type Ports = {
  clock: Clock
  // Both are batched: addresses that are asked at the same time share a request.
  hasPairs: (address: string) => Promise<boolean>
  isTokenContract: (address: string) => Promise<boolean>
}

/** A token is one that has a market, or that the chain says is one. */
export function createTokenLookup({ clock, hasPairs, isTokenContract }: Ports): TokenLookup {
  const known = createBoundedCache<string, true>({ capacity: KNOWN_TOKENS })
  const unknown = createBoundedCache<string, number>({ capacity: UNKNOWN_TOKENS })
  const underWay = new Map<string, Promise<boolean>>()
  const isToken = async (address: string): Promise<boolean> => {
    // Both at once, and the first that knows it is enough: the other may be down.
    const asked = [hasPairs(address), isTokenContract(address)].map(async (answer) => {
      if (!(await answer)) throw DENIED
    })
    try {
      await Promise.any(asked)
      return true
    } catch (error) {
      // Only what both deny does not exist; one that could not answer may know better.
      if (error instanceof AggregateError && error.errors.every((each) => each === DENIED)) return false
      throw unavailable(address)
    }
  }
  const look = async (address: string, mayLook: MayLook): Promise<boolean> => {
    const same = underWay.get(address)
    if (same) return same
    refuseIfFull(address)
    // Not awaited where it is answered at once: those who ask in the same turn join this look.
    const asking = mayLook()
    if (asking) await asking
    return underWay.get(address) ?? start(address)
  }
  const refuseIfFull = (address: string) => {
    if (underWay.size >= MAX_LOOKS) throw unavailable(address)
  }
  const start = (address: string): Promise<boolean> => {
    // Others may have begun while it was asked whether this one may.
    refuseIfFull(address)
    const looking = isToken(address).then((exists) => {
      if (exists) known.set(address, true)
      else unknown.set(address, clock.now())
      return exists
    })
    underWay.set(address, looking)
    looking.catch(() => {}).finally(() => underWay.delete(address))
    return looking
  }
  return {
    async checkExists(given, mayLook) {
      const address = given.toLowerCase()
      // Those that are asked for are kept, however many others are tried.
      if (known.get(address)) return known.set(address, true)
      const deniedMs = unknown.get(address)
      if (deniedMs !== undefined && clock.now() - deniedMs <= UNKNOWN_FOR_MS) throw notFound(address)
      if (!(await withinLimit(clock, look(address, mayLook), address))) throw notFound(address)
    },
  }
}

const DENIED = new Error('there is no such token')

function withinLimit<T>(clock: Clock, looking: Promise<T>, address: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(LOOKUP_WAIT_MS, () => reject(unavailable(address)))
    looking.then(resolve, reject).finally(cancel)
  })
}

const notFound = (address: string) =>
  new ServiceError('unknown_token', `${address} is no token on Base that we know; nothing was charged`, {
    hint: 'check the address; a token that was made this minute can be asked for a little later',
  })

const unavailable = (address: string) =>
  new ServiceError('upstream_unavailable', `whether ${address} is a token could not be looked up`)
