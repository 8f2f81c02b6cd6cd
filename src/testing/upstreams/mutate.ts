import type { Seeded } from '../seeded.ts'
import { hostileValue, RAW_NUMBERS, unquoteRaw } from './hostile-values.ts'

type Json = unknown
type Path = readonly (string | number)[]
type Change = (value: Json, random: Seeded) => Json

const MAX_CHANGES = 3
const MAX_NESTING = 5_000
const REPEATS = 40

/** The text of a reply with something wrong in it: in its values, or in the text itself. The seed repeats it. */
export function mutate(json: Json, random: Seeded): string {
  let changed = json
  const changes = random.chance(0.1) ? 0 : random.between(1, MAX_CHANGES)
  for (let i = 0; i < changes; i++) changed = changeOne(changed, random)
  const text = unquoteRaw(JSON.stringify(changed) ?? 'null')
  return changes === 0 || random.chance(0.15) ? changeText(text, random) : text
}

/** A copy in which the value at a random place is another one; what is beside its path is shared. */
function changeOne(json: Json, random: Seeded): Json {
  const path = pickPath(json, random)
  return replaceAt(json, path, (value) => random.pick(CHANGES)(value, random))
}

function pickPath(json: Json, random: Seeded): Path {
  const path: (string | number)[] = []
  for (let value = json; isBranch(value) && !random.chance(0.1); ) {
    const keys = Object.keys(value)
    if (keys.length === 0) break
    const key = keys[random.below(keys.length)] ?? ''
    path.push(Array.isArray(value) ? Number(key) : key)
    value = (value as Record<string, Json>)[key]
  }
  return path
}

/** Undefined as the new value takes the key or the item away. */
function replaceAt(json: Json, path: Path, change: (value: Json) => Json): Json {
  const [key, ...rest] = path
  if (key === undefined) return change(json)
  if (Array.isArray(json))
    return json.flatMap((item, index) => {
      const next = index === key ? replaceAt(item, rest, change) : item
      return next === undefined ? [] : [next]
    })
  const entries = Object.entries(json as object).map(([name, value]) => [
    name,
    name === key ? replaceAt(value, rest, change) : value,
  ])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

const CHANGES: readonly [Change, ...Change[]] = [
  (_, random) => hostileValue(random),
  (_, random) => hostileValue(random),
  () => null,
  () => undefined,
  (value) => [value],
  (value) => ({ value }),
  (value) => (Array.isArray(value) ? { ...value } : isBranch(value) ? Object.values(value) : String(value)),
  // A number as text and a text as number.
  (value) =>
    typeof value === 'number' ? String(value) : typeof value === 'string' ? Number(value) || 0 : value,
  (value) => (typeof value === 'number' ? -value : typeof value === 'string' ? `-${value}` : value),
  (value) => (typeof value === 'number' ? value * 1e300 : typeof value === 'string' ? `${value}e300` : value),
  (value) => (typeof value === 'string' ? value.repeat(REPEATS) : value),
  (value) => (typeof value === 'string' ? value.toUpperCase() : value),
  (value, random) => (typeof value === 'string' ? value.slice(0, random.below(value.length + 1)) : value),
  (value) => (Array.isArray(value) ? Array.from({ length: REPEATS }, () => value).flat() : value),
  (value) => (Array.isArray(value) ? value.toReversed() : value),
  (value, random) =>
    Array.isArray(value) ? [...value, value[random.below(value.length || 1)] ?? null] : value,
  (value, random) =>
    withKey(value, random.pick(['__proto__', 'constructor', 'toString', '']), hostileValue(random)),
  changeInner,
]

/** Some fields hold JSON in a text. */
function changeInner(value: Json, random: Seeded): Json {
  if (typeof value !== 'string' || !value.startsWith('[')) return hostileValue(random)
  try {
    return unquoteRaw(JSON.stringify(changeOne(JSON.parse(value), random)) ?? 'null')
  } catch {
    return value.slice(1)
  }
}

/** `Object.fromEntries` makes `__proto__` a key as any other, as `JSON.parse` does. */
const withKey = (value: Json, key: string, extra: Json): Json =>
  isBranch(value) && !Array.isArray(value)
    ? Object.fromEntries([...Object.entries(value), [key, extra]])
    : extra

function changeText(text: string, random: Seeded): string {
  const at = random.below(text.length + 1)
  const end = Math.min(text.length, at + random.between(1, 20))
  const nesting = random.between(1, MAX_NESTING)
  return random.pick<() => string>([
    () => text.slice(0, at),
    () => text.slice(0, at) + text.slice(end),
    () => text.slice(0, end) + text.slice(at),
    () => text.slice(0, at) + String.fromCharCode(random.below(0x10000)) + text.slice(end),
    () => `\ufeff${text}`,
    () => `${text.slice(0, at)}\u0000${text.slice(at)}`,
    // Read in another encoding than it was written in.
    () => Buffer.from(text, 'utf8').toString('latin1'),
    () => Buffer.from(text.slice(0, at), 'utf16le').toString('utf8'),
    () => '['.repeat(nesting) + text + ']'.repeat(nesting),
    () => `${'{"a":'.repeat(nesting)}${text}${'}'.repeat(nesting)}`,
    () => withKeyTwice(text, random),
    () => withKeyTwice(text, random),
    () => `${text}${text}`,
    () => '',
  ])()
}

/** The last of two equal keys counts. */
function withKeyTwice(text: string, random: Seeded): string {
  const keys = [...text.matchAll(/"([A-Za-z_]+)":/g)]
  const key = keys[random.below(keys.length || 1)]
  if (!key) return text
  const again = `${key[0]}${random.chance(0.5) ? random.pick(RAW_NUMBERS) : unquoteRaw(JSON.stringify(hostileValue(random)))},`
  return text.slice(0, key.index) + again + text.slice(key.index)
}

const isBranch = (value: Json): value is object => typeof value === 'object' && value !== null
