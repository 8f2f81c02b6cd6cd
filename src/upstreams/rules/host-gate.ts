import type { Clock } from '../../core/time/clock.ts'
import { toHoldMs } from './retry-after.ts'

/** Binance answers 418 to clients that keep sending after a 429. */
const REFUSED_FOR_NOW: readonly number[] = [429, 418]
/** Waits are longer by up to this share, so that several processes do not come back at once. */
const JITTER = 0.1
const MAX_JITTER_MS = 5_000
/** Requests that wait for their turn; each caller has one or two under way. */
const MAX_WAITING = 100

export type HostReply = {
  status: number
  retryAfter: string | null | undefined
  date: string | null | undefined
}

/**
 * The way to one host, shared by everything that asks it. After a 429 or 418 nothing goes through until the time that
 * the host named has passed. Requests go one at a time, so that none is under way when another one is refused.
 */
export type HostGate = {
  /** Runs `send` when those before it have ended. Rejects while the host refuses requests. */
  pass<T>(send: () => Promise<T>): Promise<T>
  /** Throws while the host refuses requests. */
  check(): void
  /** How long it still refuses them; 0 when it does not. */
  holdMs(): number
  /** Every reply of the host is noted here. */
  note(reply: HostReply): void
}

export type HostGates = {
  /** The gate of the upstream with this base address: its host, and its path on a host that serves several. */
  of(baseUrl: string): HostGate
}

type Ports = { clock: Clock; random: () => number }

export function createHostGates(ports: Ports): HostGates {
  const gates = new Map<string, HostGate>()
  return {
    of(baseUrl) {
      const { host, pathname } = new URL(baseUrl)
      const key = host + pathname.replace(/\/$/, '')
      const gate = gates.get(key) ?? createHostGate(host, ports)
      gates.set(key, gate)
      return gate
    },
  }
}

function createHostGate(host: string, { clock, random }: Ports): HostGate {
  let holdUntilMs = Number.NEGATIVE_INFINITY
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()

  const holdMs = () => Math.max(0, holdUntilMs - clock.now())
  const check = () => {
    const waitMs = holdMs()
    if (waitMs > 0) throw new Error(`${host} refuses requests for another ${Math.ceil(waitMs / 1000)} s`)
  }
  const inTurn = async <T>(before: Promise<unknown>, send: () => Promise<T>) => {
    try {
      await before
    } finally {
      waiting--
    }
    check()
    return send()
  }
  return {
    check,
    holdMs,
    async pass(send) {
      check()
      if (waiting >= MAX_WAITING) throw new Error(`too many requests are waiting for ${host}`)
      waiting++
      const sent = inTurn(last, send)
      last = sent.catch(() => {})
      return sent
    },
    note({ status, retryAfter, date }) {
      if (!REFUSED_FOR_NOW.includes(status)) return
      const askedMs = toHoldMs(retryAfter, date, clock.now())
      const jitterMs = Math.min(askedMs * JITTER, MAX_JITTER_MS) * random()
      holdUntilMs = Math.max(holdUntilMs, clock.now() + askedMs + jitterMs)
    },
  }
}
