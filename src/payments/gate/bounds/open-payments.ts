import { type Backoff, createBackoff } from '../../../core/time/backoff.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { PaymentRow, PaymentState } from '../../../ledger/ports/payment-book.ts'
import { LOOKS_AT_OPEN, SEND_AGAIN } from './limits.ts'

/**
 * Payments that were sent, that the chain has not decided, and that nobody here waits for any more. In memory: the ledger
 * has them all, and a good sale writes nothing for it.
 */
export type OpenPayments = {
  /** `sendFromMs`: until then another process may be sending it. */
  note(row: Pick<PaymentRow, 'key' | 'payer'>, sendFromMs?: number): void
  /** It was decided. */
  drop(key: string, state: PaymentState): void
  countOf(payer: string): number
  has(key: string): boolean
  keys(): readonly string[]
  /** Runs when an open one turns out to be paid. */
  onSettled(key: string, task: () => void): void
  /** Whether its buyer gets a look at the chain now. */
  mayLook(key: string): boolean
  /** Whether a facilitator is asked once more: the first time at once, then after pauses that grow. */
  maySend(key: string): boolean
}

type Open = {
  payer: string
  looks: number
  looksFromMs: number
  sendFromMs: number
  sends: Backoff
  onSettled: (() => void) | undefined
}

/** The oldest are forgotten: their payers get more room, and nothing else is lost. */
const REMEMBERED = 50_000
/** Rows come at different times: nothing needs to be spread. */
const inFull = () => 1

type Ports = {
  clock: Clock
  /** Each that is noted for the first time. */
  onNoted?: ((key: string) => void) | undefined
}

export function createOpenPayments({ clock, onNoted }: Ports): OpenPayments {
  const byKey = new Map<string, Open>()
  const counts = new Map<string, number>()
  const count = (payer: string, by: 1 | -1) => {
    const left = (counts.get(payer) ?? 0) + by
    if (left > 0) counts.set(payer, left)
    else counts.delete(payer)
  }
  const remove = (key: string): Open | undefined => {
    const open = byKey.get(key)
    if (open) count(open.payer, -1)
    byKey.delete(key)
    return open
  }
  return {
    note({ key, payer }, sendFromMs = clock.now()) {
      if (byKey.has(key)) return
      if (byKey.size >= REMEMBERED) remove(byKey.keys().next().value as string)
      const nowMs = clock.now()
      const sends = createBackoff(SEND_AGAIN, inFull)
      byKey.set(key, { payer, looks: 0, looksFromMs: nowMs, sendFromMs, sends, onSettled: undefined })
      count(payer, 1)
      onNoted?.(key)
    },
    drop(key, state) {
      const open = remove(key)
      if (state === 'settled') open?.onSettled?.()
    },
    countOf: (payer) => counts.get(payer) ?? 0,
    has: (key) => byKey.has(key),
    keys: () => [...byKey.keys()],
    onSettled(key, task) {
      const open = byKey.get(key)
      if (open) open.onSettled = task
    },
    mayLook(key) {
      const open = byKey.get(key)
      if (!open) return true
      if (clock.now() - open.looksFromMs >= LOOKS_AT_OPEN.windowMs) {
        open.looks = 0
        open.looksFromMs = clock.now()
      }
      return ++open.looks <= LOOKS_AT_OPEN.calls
    },
    maySend(key) {
      const open = byKey.get(key)
      if (!open) return true
      if (clock.now() < open.sendFromMs) return false
      open.sendFromMs = clock.now() + open.sends.nextMs()
      return true
    },
  }
}
