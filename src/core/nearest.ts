/** Longer texts are not compared: the work grows with the square of the length. */
const LENGTH_LIMIT = 100
/** One typing error per so many characters, two at least: `coin` is near `coins`, and `utm_source` near nothing. */
const CHARS_PER_EDIT = 6
const MIN_EDITS = 2
const MIN_PREFIX = 3

/** The known name that was probably meant: the one with the fewest typing errors, else one that begins alike. Case counts for nothing. */
export function findNearest(text: string, known: readonly string[]): string | undefined {
  if (text.length > LENGTH_LIMIT) return undefined
  const given = text.toLowerCase()
  let best: { name: string; edits: number } | undefined
  for (const name of known) {
    const edits = findEdits(given, name.toLowerCase())
    if (edits !== undefined && edits < (best?.edits ?? Number.POSITIVE_INFINITY)) best = { name, edits }
  }
  return best?.name ?? known.find((name) => beginsAlike(given, name.toLowerCase()))
}

/** Undefined where more than half of the shorter text, or too much of the longer one, is wrong. */
function findEdits(given: string, name: string): number | undefined {
  const allowed = Math.max(MIN_EDITS, Math.floor(Math.max(given.length, name.length) / CHARS_PER_EDIT))
  if (Math.abs(given.length - name.length) > allowed) return undefined
  const edits = editsBetween(given, name)
  return edits <= allowed && edits * 2 <= Math.min(given.length, name.length) ? edits : undefined
}

function beginsAlike(given: string, name: string): boolean {
  const shorter = Math.min(given.length, name.length)
  return shorter >= MIN_PREFIX && given.slice(0, shorter) === name.slice(0, shorter)
}

/** Letters added, dropped or changed between two texts (Levenshtein). */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(changed, at(row, j) + 1, at(next, j - 1) + 1))
    }
    row = next
  }
  return at(row, b.length)
}

const at = (row: readonly number[], index: number): number => row[index] ?? 0
