/** Fields that say why something is not there: they come and go with it. */
const EXPLAINS = /(^|_)(note|reason|fault)$/

/** What a decision saw, the kind of an entry, which indicators are unknown: other fields are another case, no other shape. */
const VARIES = /\.decisions\[\]\.facts$|\.entries\[\]\.leaf$|\.unknown_indicators$/

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Where the fields of two replies to the same call differ, lists by their first item. What is null or empty on one side
 * can differ in nothing.
 */
export function differences(example: unknown, reply: unknown, path = ''): string[] {
  if (Array.isArray(example) && Array.isArray(reply)) {
    if (example.length === 0 || reply.length === 0) return []
    return differences(example[0], reply[0], `${path}[]`)
  }
  const areThere = [example, reply].every((value) => value !== null && value !== undefined)
  if (areThere && Array.isArray(example) !== Array.isArray(reply)) return [`${path}: a list on one side only`]
  if (!isObject(example) || !isObject(reply) || VARIES.test(path)) return []
  return [
    ...missing(example, reply).map((key) => `${path}.${key} is not answered any more`),
    ...missing(reply, example).map((key) => `${path}.${key} is not in the example`),
    ...Object.keys(example).flatMap((key) => differences(example[key], reply[key], `${path}.${key}`)),
  ]
}

const missing = (from: object, other: object): string[] =>
  Object.keys(from).filter((key) => !(key in other) && !EXPLAINS.test(key))
