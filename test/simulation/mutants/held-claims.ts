import { HELD, type Mutant, mutant } from './mutant.ts'

/** In the claims that a process holds in memory. */
export const HELD_CLAIM_MUTANTS: readonly Mutant[] = [
  mutant('a claim is held only after a look into the ledger', [
    HELD,
    'const row = await during(claims.hold(claim), async () => {',
    'await findWritten(ledger, claim)\n      const row = await during(claims.hold(claim), async () => {',
  ]),
  mutant('a held claim does not look into the ledger', [
    HELD,
    'const found = await findWritten(ledger, claim)',
    'const found = undefined',
  ]),
  mutant('a held claim that was taken stays held', [HELD, 'if (isTaken) claims.letGo(claim)', '']),
  mutant('a held claim that was released stays held', [
    HELD,
    'if (held?.claim.id === id) claims.letGo(held.claim)',
    'if (held?.claim.id === id) return',
  ]),
  mutant('a held claim is let go before it is written', [
    HELD,
    'const isEntered = await ledger.enter(held.claim, reply)\n        claims.letGo(held.claim)',
    'claims.letGo(held.claim)\n        const isEntered = await ledger.enter(held.claim, reply)',
  ]),
  mutant('a held claim is sold without being written', [
    HELD,
    'const isEntered = await ledger.enter(held.claim, reply)',
    'void ledger.enter(held.claim, reply).catch(() => undefined)\n        const isEntered = true',
  ]),
]
