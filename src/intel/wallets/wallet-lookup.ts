import { createBoundedCache } from '../../core/bounded-cache.ts'
import type { MayLook } from '../../core/may-look.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { createSteadyTime } from '../../core/time/steady-time.ts'
import { MINUTE_MS, SECOND_MS } from '../../core/time/time.ts'
import { MAX_ADDRESSES_TOGETHER } from '../../upstreams/base-chain/used-addresses.ts'
import { createBatched } from '../tokens/facts/batched.ts'
import type { WalletPorts } from './facts/wallet-ports.ts'
import { within } from './within.ts'

/** Whether an address was ever used, which is asked before anybody pays. */
export type WalletLookup = {
  /**
   * Throws `not_found`, or `upstream_unavailable` where nobody can tell. Waits no longer than `WALLET_LOOKUP_WAIT_MS`.
   * Asks `mayLook` only where it would start a look of its own.
   */
  checkExists(wallet: string, mayLook: MayLook): Promise<void>
}

export const WALLET_LOOKUP_WAIT_MS = 2_000
/** The explorer is asked when the node takes longer. */
const NODE_WAIT_MS = 700
/** Addresses that are looked up within this share a call to the node: looks take at most five of them a second. */
export const NODE_GATHER_MS = 200
/**
 * Between looks that need the explorer, or the node for one address alone: nobody has paid for them yet, and those who
 * pay need the rest of what both allow.
 */
export const LOOK_CLOSER_EVERY_MS = 2 * SECOND_MS
/** A look that would have to wait longer for that is refused. */
export const LOOK_CLOSER_WAIT_MS = SECOND_MS
/** A used address does not become an unused one; the bound is for memory. */
const USED_WALLETS = 20_000
const UNUSED_WALLETS = 20_000
/** So long after a look, somebody may have used it. */
const UNUSED_FOR_MS = MINUTE_MS
/** Looks under way, of all clients together; what one client may start is for `mayLook` to say. */
export const MAX_WALLET_LOOKS = 100

type Ports = Pick<WalletPorts, 'chain'> & {
  explorer: Pick<WalletPorts['explorer'], 'address'>
  clock: Clock
  /** False: nobody but the explorer can tell. */
  hasNode: boolean
}

export function createWalletLookup({ chain, explorer, clock, hasNode }: Ports): WalletLookup {
  const used = createBoundedCache<string, true>({ capacity: USED_WALLETS })
  const unused = createBoundedCache<string, number>({ capacity: UNUSED_WALLETS })
  const underWay = new Map<string, Promise<boolean>>()

  const hasEtherOrCode = createBatched({
    clock,
    perRequest: MAX_ADDRESSES_TOGETHER,
    gatherMs: NODE_GATHER_MS,
    read: chain.haveEtherOrCode,
  })
  const enterCloser = createTurns(clock)

  const isUsed = async (wallet: string): Promise<boolean> => {
    const isHere = hasNode ? await within(clock, NODE_WAIT_MS, hasEtherOrCode(wallet)) : undefined
    if (isHere) return true
    await enterCloser()
    // Somebody who only ever got tokens, or has sent all ether away, looks unused so far.
    const [about, nonce] = await Promise.allSettled([
      explorer.address(wallet),
      isHere === undefined ? undefined : within(clock, NODE_WAIT_MS, chain.nonce(wallet)),
    ])
    const sent = nonce.status === 'fulfilled' ? nonce.value : undefined
    if (sent !== undefined && sent > 0) return true
    if (about.status === 'rejected') throw unavailable(wallet)
    if (about.value !== undefined) return true
    // Only what both deny was never used, where there are both; the explorer may be behind.
    if (sent === 0 || !hasNode) return false
    throw unavailable(wallet)
  }
  const look = async (wallet: string, mayLook: MayLook): Promise<boolean> => {
    const same = underWay.get(wallet)
    if (same) return same
    refuseIfFull(wallet)
    // Not awaited where it is answered at once: those who ask in the same turn join this look.
    const asking = mayLook()
    if (asking) await asking
    return underWay.get(wallet) ?? start(wallet)
  }
  const refuseIfFull = (wallet: string) => {
    if (underWay.size >= MAX_WALLET_LOOKS) throw unavailable(wallet)
  }
  const start = (wallet: string): Promise<boolean> => {
    // Others may have begun while it was asked whether this one may.
    refuseIfFull(wallet)
    const looking = isUsed(wallet).then(
      (found) => {
        if (found) used.set(wallet, true)
        else unused.set(wallet, clock.now())
        return found
      },
      () => {
        throw unavailable(wallet)
      },
    )
    underWay.set(wallet, looking)
    looking.catch(() => {}).finally(() => underWay.delete(wallet))
    return looking
  }
  return {
    async checkExists(given, mayLook) {
      const wallet = given.toLowerCase()
      if (used.get(wallet)) return
      const deniedMs = unused.get(wallet)
      if (deniedMs !== undefined && clock.now() - deniedMs <= UNUSED_FOR_MS) throw notFound(wallet)
      if (!(await withinLimit(clock, look(wallet, mayLook), wallet))) throw notFound(wallet)
    },
  }
}

/** Lets one through at a time; rejects at once where the wait would be too long. */
function createTurns(clock: Clock): () => Promise<void> {
  const time = createSteadyTime(clock)
  let nextMs = 0
  return async () => {
    const nowMs = time()
    const waitMs = Math.max(0, nextMs - nowMs)
    if (waitMs > LOOK_CLOSER_WAIT_MS) throw new Error('too many looks')
    nextMs = nowMs + waitMs + LOOK_CLOSER_EVERY_MS
    if (waitMs > 0) await new Promise<void>((resolve) => void clock.after(waitMs, resolve))
  }
}

function withinLimit<T>(clock: Clock, looking: Promise<T>, wallet: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(WALLET_LOOKUP_WAIT_MS, () => reject(unavailable(wallet)))
    looking.then(resolve, reject).finally(cancel)
  })
}

const notFound = (wallet: string) =>
  new ServiceError('not_found', `${wallet} was never used on Base; nothing was charged`, {
    hint: 'check the address; one that was used this minute can be asked for a little later',
  })

const unavailable = (wallet: string) =>
  new ServiceError('upstream_unavailable', `whether ${wallet} was ever used could not be looked up`)
