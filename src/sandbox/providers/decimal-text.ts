const MAX_DECIMALS = 100

/** With so many significant digits and never with an exponent: `0.0000001234`. Zeros at the end are left out. */
export function significantText(value: number, digits: number): string {
  if (value === 0) return '0'
  const decimals = digits - 1 - Math.floor(Math.log10(Math.abs(value)))
  return roundedText(value, Math.min(MAX_DECIMALS, Math.max(0, decimals)))
}

/** With at most so many decimals, without zeros at the end. */
export function roundedText(value: number, decimals: number): string {
  const text = value.toFixed(decimals)
  const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text
  return short === '-0' ? '0' : short
}

export const rounded = (value: number, decimals: number): number => Number(roundedText(value, decimals))
