// What the adapters hand on must hold whatever the provider sent: finite numbers, and everything that is not optional.

/** Keys and the types of their values, by the place of the object; places in lists are one. */
export type Shape = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>

/** Longer texts than these do not leave the adapters. */
const MAX_TEXT_CHARS = 2_500

export function shapeOf(value: unknown): Shape {
  const shape = new Map<string, Map<string, Set<string>>>()
  visit(value, '', (place, key, each) => {
    const keys = shape.get(place) ?? new Map<string, Set<string>>()
    shape.set(place, keys)
    keys.set(key, (keys.get(key) ?? new Set()).add(typeof each))
  })
  return shape
}

/** The first thing that is wrong with a value: NaN, Infinity, a giant text, a type that its key never has, or a gap. */
export function findUnsound(value: unknown, shape: Shape, optional: ReadonlySet<string>): string | undefined {
  let fault: string | undefined
  const note = (place: string, reason: string) => {
    fault ??= `${place}: ${reason}`
  }
  visit(value, '', (place, key, each) => {
    if (typeof each === 'number' && !Number.isFinite(each)) note(`${place}.${key}`, String(each))
    if (typeof each === 'string' && each.length > MAX_TEXT_CHARS) note(`${place}.${key}`, 'a giant text')
    if (each === null || typeof each === 'function') note(`${place}.${key}`, 'nothing of ours')
    if (key === '__proto__') note(place, 'a key that was sent')
    const types = shape.get(place)?.get(key)
    if (each === undefined && !optional.has(key)) note(`${place}.${key}`, 'a gap')
    if (each !== undefined && types && !types.has(typeof each) && !optional.has(key))
      note(`${place}.${key}`, `${typeof each} instead of ${[...types]}`)
  })
  visitObjects([value], '', (place, object) => {
    for (const key of shape.get(place)?.keys() ?? [])
      if (!(Object.hasOwn(object, key) || optional.has(key))) note(`${place}.${key}`, 'missing')
  })
  return fault
}

type Visit = (place: string, key: string, value: unknown) => void

function visit(value: unknown, place: string, see: Visit): void {
  visitObjects([value], place, (where, object) => {
    for (const [key, each] of Object.entries(object))
      if (typeof each !== 'object' || each === null) see(where, key, each)
  })
}

function visitObjects(value: unknown, place: string, see: (place: string, object: object) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value) || value instanceof Map) {
    for (const item of value.values())
      if (typeof item === 'object' && item !== null) visitObjects(item, `${place}[]`, see)
      else see(`${place}[]`, { item })
    return
  }
  // Values of one place differ by what they say they are.
  const kind = 'type' in value ? value.type : 'isAccepted' in value ? value.isAccepted : ''
  const here = `${place}(${String(kind)})`
  see(here, value)
  for (const [key, each] of Object.entries(value)) visitObjects(each, `${here}.${key}`, see)
}
