/** Divides finer than any token that somebody uses; such texts would be long and empty. */
const MAX_DECIMALS = 77

/** A number of smallest units in whole tokens, exactly: `1500000` of 6 decimals is `1.5`. Undefined where that is not known. */
export function amountText(units: bigint, decimals: number | undefined): string | undefined {
  if (decimals === undefined || !Number.isInteger(decimals) || decimals < 0 || decimals > MAX_DECIMALS)
    return undefined
  if (decimals === 0) return units.toString()
  const digits = units.toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  const whole = digits.slice(0, -decimals)
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** Above all the money there is: whoever claims that much is not believed. */
const MAX_USD = 1e15

/** What so many units are worth; undefined where the price or the decimals are not known, or the claim is absurd. */
export function worthUsd(
  units: bigint,
  decimals: number | undefined,
  priceUsd: number | undefined,
): number | undefined {
  if (decimals === undefined || decimals > MAX_DECIMALS || priceUsd === undefined) return undefined
  const usd = (Number(units) / 10 ** decimals) * priceUsd
  return Number.isFinite(usd) && usd >= 0 && usd <= MAX_USD ? usd : undefined
}
