/** Whole tokens in the smallest unit. Exact to ten digits, which is more than anybody reads. */
export function unitsOf(whole: number, decimals: number): bigint {
  const [digits = '0', exponent = '0'] = whole.toExponential(9).split('e')
  const mantissa = BigInt(digits.replace('.', ''))
  const shift = Number(exponent) - 9 + decimals
  return shift >= 0 ? mantissa * 10n ** BigInt(shift) : mantissa / 10n ** BigInt(-shift)
}
