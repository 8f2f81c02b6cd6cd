import type { Seeded } from '../../src/testing/seeded.ts'
import type { SignedPayment } from './wallet.ts'

/** A payment that others have seen on its way. */
export type Loot = {
  path: string
  payment: SignedPayment
  /**
   * Its owner has his goods, or has gone for good. Before that only copies of the same request are made, and only once the
   * ledger has it: a thief who takes a payment to another address while it is under way, or is the first to come with it
   * after a kill, can win it by right, and then its owner has been robbed, not cheated.
   */
  isAnybodys: boolean
}
export type Prey = {
  offer(loot: Loot): void
  withdraw(payment: SignedPayment): void
  pick(seeded: Seeded): Loot | undefined
}

const KEPT = 200
/** A copy that is on its way when the payment dies could claim it at its last moment, behind its owner's back. */
const SURE_LIFE_MS = 60_000

export function createPrey(): Prey {
  const loot = new Map<string, Loot>()
  return {
    offer(each) {
      const { payment, isAnybodys } = each
      if (!isAnybodys && payment.diesAtMs - Date.now() <= SURE_LIFE_MS) return
      loot.delete(payment.id)
      loot.set(payment.id, each)
      const [oldest] = loot.keys()
      if (loot.size > KEPT && oldest !== undefined) loot.delete(oldest)
    },
    withdraw: ({ id }) => void loot.delete(id),
    pick(seeded) {
      const all = [...loot.values()]
      return all[seeded.between(0, all.length - 1)]
    },
  }
}
