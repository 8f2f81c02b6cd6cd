/** A venue's number, text or not, as a finite number; `undefined` for NaN, null, "" and the rest. */
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
