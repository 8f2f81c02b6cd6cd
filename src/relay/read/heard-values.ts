import type { Log } from '../../core/log.ts'
import { list } from '../market/checks.ts'
import type { StatePart } from '../market/market-state.ts'
import { findShape, type ValueName, type Values } from '../values/value-kinds.ts'
import { fromText } from '../wire/codec.ts'

/** The newest of each value that the engine told. */
export type HeardValues = {
  /** Undefined where it was not told, or is not as it should be. */
  get<N extends ValueName>(name: N): Values[N] | undefined
  /** Rises with every change of the value, whichever engine tells it. */
  version(name: ValueName): number
  /** Called after a change. */
  onChange(listener: (name: ValueName) => void): void
  /** What it returns takes the value. Throws on what is no value at all. */
  parse(row: unknown): () => void
  /** For `VALUES_PART`. */
  parseState: StatePart['parse']
}

/** More than there are names. */
const NAMES_MAX = 100

export function createHeardValues(log: Pick<Log, 'warn'>): HeardValues {
  const texts = new Map<string, string>()
  const held = new Map<string, { value: unknown; version: number }>()
  const listeners = new Set<(name: ValueName) => void>()
  const refused = new Set<string>()
  const read = (name: string, text: string): unknown => {
    try {
      const value = fromText(text)
      findShape(name)?.parse(value)
      return value
    } catch {
      // Once for each name: another release may tell the same again and again.
      if (!refused.has(name))
        log.warn({ name }, 'a value of the engine is not as it should be, and is not used')
      refused.add(name)
      return undefined
    }
  }
  const take = (name: unknown, text: unknown): (() => void) => {
    if (typeof name !== 'string' || typeof text !== 'string') throw new Error('it is no value')
    return () => {
      // A later release may tell more.
      if (!findShape(name) || texts.get(name) === text) return
      texts.set(name, text)
      held.set(name, { value: read(name, text), version: (held.get(name)?.version ?? 0) + 1 })
      for (const tell of listeners) tell(name as ValueName)
    }
  }
  return {
    get: <N extends ValueName>(name: N) => held.get(name)?.value as Values[N] | undefined,
    version: (name) => held.get(name)?.version ?? 0,
    onChange: (listener) => void listeners.add(listener),
    parse(row) {
      const [, name, text] = list(row, 3)
      return take(name, text)
    },
    parseState(state) {
      const told = list(state, NAMES_MAX).map((row) => list(row, 2))
      const takes = told.map(([name, text]) => take(name, text))
      const names = new Set(told.map(([name]) => name))
      return () => {
        for (const taking of takes) taking()
        // What this engine has not told is not known any more.
        for (const name of [...texts.keys()].filter((each) => !names.has(each))) {
          texts.delete(name)
          held.set(name, { value: undefined, version: (held.get(name)?.version ?? 0) + 1 })
        }
      }
    },
  }
}
