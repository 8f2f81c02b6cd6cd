import { BOUNDS_MUTANTS } from './bounds.ts'
import { CHAIN_MUTANTS } from './chain.ts'
import { CLASSIC_MUTANTS } from './classic.ts'
import { FACILITATOR_MUTANTS } from './facilitators.ts'
import { FINALITY_MUTANTS } from './finality.ts'
import { GATE_MUTANTS } from './gate.ts'
import { HELD_CLAIM_MUTANTS } from './held-claims.ts'
import type { Mutant } from './mutant.ts'
import { READER_MUTANTS } from './reader.ts'

export { CLASSIC_MUTANTS }

export const MUTANTS: readonly Mutant[] = [
  ...CLASSIC_MUTANTS,
  ...GATE_MUTANTS,
  ...READER_MUTANTS,
  ...CHAIN_MUTANTS,
  ...FACILITATOR_MUTANTS,
  ...HELD_CLAIM_MUTANTS,
  ...FINALITY_MUTANTS,
  ...BOUNDS_MUTANTS,
]
