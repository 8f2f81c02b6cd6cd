/** A number, or a text that holds one; undefined for anything else, such as NaN, null and an empty text. */
export function findFinite(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

export function findPositive(value: unknown): number | undefined {
  const number = findFinite(value)
  return number !== undefined && number > 0 ? number : undefined
}
