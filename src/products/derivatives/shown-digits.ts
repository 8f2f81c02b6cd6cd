/** Unknown is null, never zero. Adding zero makes a zero of a negative one. */
export const shownDigits = (value: number | undefined, digits: number): number | null =>
  value === undefined ? null : roundDigits(value, digits)

export const roundDigits = (value: number, digits: number): number => Number(value.toFixed(digits)) + 0
