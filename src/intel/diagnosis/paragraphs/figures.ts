import type { Fact } from '../../writer/fact.ts'
import { inDollars, inNumber, inPercent } from '../in-words.ts'

export type FactsById = ReadonlyMap<string, Fact>

/** The number of a fact; undefined where it is not known. */
export function numberOf(facts: FactsById, id: string): number | undefined {
  const value = facts.get(id)?.value
  return typeof value === 'number' ? value : undefined
}

const shown =
  (write: (value: number) => string) =>
  (facts: FactsById, id: string): string | undefined => {
    const value = numberOf(facts, id)
    return value === undefined ? undefined : write(Math.abs(value))
  }
/** Figures as texts write them; undefined where they are not known. */
export const dollarsOf = shown(inDollars)
export const percentOf = shown(inPercent)
export const countOf = shown(inNumber)

/** The sentences that are there, as one text. */
export const sentences = (...all: readonly (string | undefined)[]): string =>
  all.filter((text) => text !== undefined && text !== '').join(' ')
