import { parseAtomic } from '../core/money.ts'
import type { Claim, PaymentRow } from './ports/payment-book.ts'
import type { PaymentLedger } from './ports/payment-book-queries.ts'

/** `busy` while the ledger is read or written for this claim: until it resolves, the claim may succeed or fail. */
type Held = { claim: Claim; busy: Promise<void> | undefined }

/**
 * The ledger with claims held in memory, for a process that is its only user. A claim is written together with its
 * reply, before money can move. A crash before that loses the claim, which recovery would have released anyway.
 */
export function holdClaims(ledger: PaymentLedger): PaymentLedger {
  const claims = createHeld()
  return {
    ...ledger,
    async claim(given) {
      parseAtomic(given.amount)
      const claim = { ...given }
      // No await between the last look and `hold`: of concurrent claims only one finds no other.
      for (let other = claims.findLike(claim); other; other = claims.findLike(claim)) {
        if (!other.busy) return { fresh: false, row: toRow(other.claim) }
        await other.busy
      }
      const row = await during(claims.hold(claim), async () => {
        let isTaken = true
        try {
          const found = await findWritten(ledger, claim)
          isTaken = found !== undefined
          return found
        } finally {
          if (isTaken) claims.letGo(claim)
        }
      })
      return row ? { fresh: false, row } : { fresh: true }
    },
    /** Held claims live as long as their owner. */
    async renew(ids, nowMs) {
      const held = new Set(claims.rows(() => true).map(({ id }) => id))
      const written = ids.filter((id) => !held.has(id))
      if (written.length > 0) await ledger.renew(written, nowMs)
    },
    async prepare(key, id, reply) {
      const held = await claims.findAtRest(key)
      if (held?.claim.id !== id) return ledger.prepare(key, id, reply)
      return during(held, async () => {
        const isEntered = await ledger.enter(held.claim, reply)
        claims.letGo(held.claim)
        return isEntered
      })
    },
    async release(key, id) {
      const held = await claims.findAtRest(key)
      if (held?.claim.id === id) claims.letGo(held.claim)
      else await ledger.release(key, id)
    },
    async settle(key, outcome, known) {
      const held = claims.find(key)
      return held && !held.busy
        ? { ...toRow(held.claim), revived: false }
        : ledger.settle(key, outcome, known)
    },
    async find(key) {
      const held = claims.find(key)
      return held ? toRow(held.claim) : ledger.find(key)
    },
    async findByIdentifier(identifier) {
      const [held] = claims.rows((claim) => claim.identifier === identifier)
      return held ?? ledger.findByIdentifier(identifier)
    },
    async findById(id) {
      const [held] = claims.rows((claim) => claim.id === id)
      return held ?? ledger.findById(id)
    },
    async unfinished() {
      const written = await ledger.unfinished()
      return [...written, ...claims.rows(() => true)].sort((a, b) => a.claimedAtMs - b.claimedAtMs)
    },
  }
}

/** One entry per sale in progress that has no reply yet; the limit on concurrent sales bounds them. */
function createHeld() {
  const byKey = new Map<string, Held>()
  const keys = new Map<string, string>()
  return {
    find: (key: string) => byKey.get(key),
    findLike: ({ key, identifier }: Claim) =>
      byKey.get(key) ?? (identifier === undefined ? undefined : byKey.get(keys.get(identifier) ?? '')),
    async findAtRest(key: string): Promise<Held | undefined> {
      for (let held = byKey.get(key); held?.busy; held = byKey.get(key)) await held.busy
      return byKey.get(key)
    },
    hold(claim: Claim): Held {
      const held: Held = { claim, busy: undefined }
      byKey.set(claim.key, held)
      if (claim.identifier !== undefined) keys.set(claim.identifier, claim.key)
      return held
    },
    letGo({ key, identifier }: Claim): void {
      byKey.delete(key)
      if (identifier !== undefined) keys.delete(identifier)
    },
    rows: (isIt: (claim: Claim) => boolean): PaymentRow[] =>
      [...byKey.values()].flatMap(({ claim }) => (isIt(claim) ? toRow(claim) : [])),
  }
}

/** The claim is busy until the whole step is done. */
function during<T>(held: Held, step: () => Promise<T>): Promise<T> {
  const over = () => {
    held.busy = undefined
  }
  const result = step()
  held.busy = result.then(over, over)
  return result
}

async function findWritten(ledger: PaymentLedger, claim: Claim): Promise<PaymentRow | undefined> {
  const row = await ledger.find(claim.key)
  if (row || claim.identifier === undefined) return row
  return ledger.findByIdentifier(claim.identifier)
}

function toRow(claim: Claim): PaymentRow {
  const nothing = { facilitator: undefined, transaction: undefined, settledAtMs: undefined }
  return { ...claim, state: 'claimed', reply: undefined, ...nothing }
}
