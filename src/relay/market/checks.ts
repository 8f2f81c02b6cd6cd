/** What comes out of Redis is checked before it is believed: each throws on anything else. */
export function number(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new Error('a number is none')
}

export function positive(value: unknown): number {
  if (number(value) > 0) return value as number
  throw new Error('a number is not above zero')
}

export const maybe = <T>(check: (value: unknown) => T, value: unknown): T | undefined =>
  value === undefined ? undefined : check(value)

export function list(value: unknown, most: number): readonly unknown[] {
  if (Array.isArray(value) && value.length <= most) return value
  throw new Error('a list is none, or too long')
}

export function flag(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw new Error('a yes or no is neither')
}

export function oneOf<T>(choices: readonly T[], value: unknown): T {
  if (choices.includes(value as T)) return value as T
  throw new Error('a word is not one of ours')
}

/** The item at a place of a fixed list. */
export function at<T>(choices: readonly T[], place: unknown): T {
  const found = typeof place === 'number' ? choices[place] : undefined
  if (found === undefined) throw new Error('a place is out of the list')
  return found
}
