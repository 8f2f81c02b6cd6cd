import type { ValueName, Values } from '../values/value-kinds.ts'
import { toText } from '../wire/codec.ts'

/** A value that is looked at every so many turns; nothing is told while it throws. */
export type Told<N extends ValueName = ValueName> = { name: N; everyTurns: number; read(): Values[N] }

export type ToldValues = {
  /** What has changed since the last look. */
  take(turn: number): readonly unknown[]
  /** All of them as they were told last. */
  state(): unknown
}

/** Compares texts: most values are new objects at every look, and say the same. */
export function createToldValues(told: readonly Told[]): ToldValues {
  const texts = new Map<ValueName, string>()
  return {
    take: (turn) =>
      told.flatMap(({ name, everyTurns, read }) => {
        if (turn % everyTurns !== 0) return []
        const text = textOf(read)
        if (text === undefined || texts.get(name) === text) return []
        texts.set(name, text)
        return [['v', name, text]]
      }),
    state: () => [...texts],
  }
}

/** What is not known yet is not told. Whoever cannot tell must not keep the others from it. */
function textOf(read: () => unknown): string | undefined {
  try {
    return toText(read())
  } catch {
    return undefined
  }
}
