import type { ParamShape } from '../../catalog/json-schema.ts'
import { findNearest } from '../../core/nearest.ts'
import type { ValidationIssue } from './validation.ts'

export type FindUnknown = (query: URLSearchParams | undefined) => ValidationIssue[]

/** A caller's mistakes are shown to the caller, but not at any length. */
const SHOWN = 10
const SHOWN_CHARS = 100

/** What a query holds that its address does not know, each name once, with the name that was probably meant. */
export function createFindUnknown(shapes: readonly ParamShape[], beside: readonly string[]): FindUnknown {
  const inPath = new Set(shapes.flatMap(({ name, in: place }) => (place === 'path' ? name : [])))
  const known = [...shapes.flatMap(({ name, in: place }) => (place === 'query' ? name : [])), ...beside]
  const names = new Set(known)

  const explain = (name: string): string => {
    if (inPath.has(name)) return 'is part of the path here, not of the query'
    if (known.length === 0) return 'is not known here: this address takes no params'
    const nearest = findNearest(name, known)
    return nearest
      ? `is not known here; the nearest is ${nearest}`
      : `is not known here; known are ${known.join(', ')}`
  }
  return (query) => {
    if (query === undefined) return []
    const unknown = new Set([...query.keys()].filter((name) => !names.has(name)))
    return [...unknown].slice(0, SHOWN).map((name) => ({
      loc: ['query', name.slice(0, SHOWN_CHARS)],
      msg: explain(name),
      type: 'extra_forbidden',
    }))
  }
}
