import type { Look } from '../round/look.ts'

export type RiskRule = {
  /** Stands as the reason in the ledger: never renamed. */
  name: string
  /** Whose purchases it stops: the round's alone, or also those that the operator makes by hand. */
  stops: 'round' | 'all'
  /** A sentence with the values; undefined where nothing speaks against it. */
  why(look: Look): string | undefined
}
