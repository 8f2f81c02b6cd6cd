type Schema = { safeParse(value: unknown): { success: boolean } }

/** Examples stand in the body of every 402: a few hundred characters say as much as ten thousand. */
const WANTED_CHARS = 1_500
export const MOST_CHARS = 3_072
const MOST_ITEMS = [3, 2, 1]
const TEXT_CHARS = 300

/**
 * The reply with its lists cut to their first items, and further where it is still long; then pairs, then the lists of
 * addends, and then texts at the end of a sentence. What the schema wants whole stays so.
 */
export function shorten(reply: unknown, schema: Schema): unknown {
  const listed = cutLists(reply, schema, (list) => !isSum(list), WANTED_CHARS)
  if (charsOf(listed) <= MOST_CHARS) return listed
  const single = cut(listed, schema, (list) => list.length > 1 && !isSum(list), 1)
  if (charsOf(single) <= MOST_CHARS) return single
  const shortened = cutLists(single, schema, isSum, MOST_CHARS)
  const brief = charsOf(shortened) <= MOST_CHARS ? shortened : cutTexts(shortened)
  return schema.safeParse(brief).success ? brief : shortened
}

/** Readers add up what has weights: it is worth showing only as a whole. */
const isSum = ([first]: readonly unknown[]): boolean =>
  typeof first === 'object' && first !== null && 'weight' in first

function cutLists(reply: unknown, schema: Schema, mayBeCut: MayBeCut, wantedChars: number): unknown {
  let shortened = reply
  for (const most of MOST_ITEMS) {
    // A pair is no long list.
    const longest = Math.max(most, 2)
    shortened = cut(reply, schema, (list) => list.length > longest && mayBeCut(list), most)
    if (charsOf(shortened) <= wantedChars) break
  }
  return shortened
}
type MayBeCut = (list: readonly unknown[]) => boolean

export const charsOf = (reply: unknown): number => JSON.stringify(reply).length

/** Whole lines or sentences; a text that has none is left alone. */
function cutText(text: string): string {
  if (text.length <= TEXT_CHARS) return text
  const end = Math.max(text.lastIndexOf('\n', TEXT_CHARS), text.lastIndexOf('. ', TEXT_CHARS) + 1)
  return end > 0 ? text.slice(0, end) : text
}

function cutTexts(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value)
  if (Array.isArray(value)) return value.map(cutTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, cutTexts(part)]))
}

/** One list after the other, so that one that must stay whole keeps no other from being cut. */
function cut(whole: unknown, schema: Schema, isLong: MayBeCut, most: number): unknown {
  let shortened = whole
  const refused = new Set<string>()
  for (;;) {
    const path = findLong(shortened, isLong, refused)
    if (!path) return shortened
    const next = withCut(shortened, path, most)
    if (schema.safeParse(next).success) shortened = next
    else refused.add(path.join('.'))
  }
}

function findLong(
  value: unknown,
  isLong: MayBeCut,
  refused: ReadonlySet<string>,
  path: string[] = [],
): string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value) && isLong(value) && !refused.has(path.join('.'))) return path
  for (const [key, part] of Object.entries(value)) {
    const found = findLong(part, isLong, refused, [...path, key])
    if (found) return found
  }
  return undefined
}

function withCut(value: unknown, [key, ...rest]: string[], most: number): unknown {
  if (key === undefined) return (value as unknown[]).slice(0, most)
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) }
  const parts = copy as Record<string, unknown>
  parts[key] = withCut(parts[key], rest, most)
  return copy
}
