/** A header names few types; what stands behind so many is not read. */
const RANGES_READ = 50

const EXACT = 2
const ONE_KIND = 1
const ANYTHING = 0

type Wish = { range: string; weight: number; specificity: number; at: number }

/**
 * Which of the offered media types a caller wants most, as RFC 9110 reads `Accept`: the most specific range that covers
 * a type says its weight. At equal weights a type that is named goes before one that a wildcard covers, then the one
 * named earlier, then the one offered earlier. Undefined where nothing fits, or nothing is wished: the caller then gets
 * the default, since an answer helps more than a 406.
 */
export function findAccepted(offered: readonly string[], accept: string | undefined): string | undefined {
  if (accept === undefined || accept === '*/*') return undefined
  const wishes = accept.split(',', RANGES_READ).flatMap(readWish)
  let best: { type: string; wish: Wish } | undefined
  for (const type of offered) {
    const wish = wishFor(type, wishes)
    if (wish && wish.weight > 0 && (!best || isBefore(wish, best.wish))) best = { type, wish }
  }
  return best?.type
}

/** Nothing where the weight is none: half a wish is no wish. */
function readWish(text: string, at: number): Wish[] {
  const [range = '', ...options] = text.split(';').map((part) => part.trim().toLowerCase())
  const weightText = options.find((option) => option.startsWith('q='))?.slice(2) ?? '1'
  const weight = weightText === '' ? Number.NaN : Number(weightText)
  if (!(weight >= 0 && weight <= 1)) return []
  // Old clients write one star for two.
  if (range === '*' || range === '*/*') return [{ range: '', weight, specificity: ANYTHING, at }]
  if (range.endsWith('/*')) return [{ range: range.slice(0, -1), weight, specificity: ONE_KIND, at }]
  return [{ range, weight, specificity: EXACT, at }]
}

function wishFor(type: string, wishes: readonly Wish[]): Wish | undefined {
  let found: Wish | undefined
  for (const wish of wishes) {
    const covers = wish.specificity === EXACT ? wish.range === type : type.startsWith(wish.range)
    if (covers && (!found || decides(wish, found))) found = wish
  }
  return found
}

/** Of a range that stands there twice the larger weight counts. */
const decides = (wish: Wish, other: Wish): boolean =>
  wish.specificity === other.specificity ? wish.weight > other.weight : wish.specificity > other.specificity

function isBefore(wish: Wish, other: Wish): boolean {
  if (wish.weight !== other.weight) return wish.weight > other.weight
  if (wish.specificity !== other.specificity) return wish.specificity > other.specificity
  return wish.at < other.at
}
