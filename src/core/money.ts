declare const usdBrand: unique symbol
/** US dollars in millionths: the unit of USDC on chain and of every ledger column. */
export type Usd = bigint & { readonly [usdBrand]: true }

const DECIMALS = 6
const DECIMAL_TEXT = /^(0|[1-9]\d{0,11})(?:\.(\d{1,6}))?$/
const ATOMIC_TEXT = /^(0|[1-9]\d{0,17})$/

/** `usd('0.012')` is 12000 millionths. Refuses signs, exponents and a seventh decimal. */
export function usd(text: string): Usd {
  const match = DECIMAL_TEXT.exec(text)
  if (!match) throw new RangeError(`not an amount in dollars: ${JSON.stringify(text)}`)
  const [, whole = '0', fraction = ''] = match
  return (BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(DECIMALS, '0'))) as Usd
}

/** Millionths as an x402 envelope writes them, for example `"12000"`. */
export function parseAtomic(text: string): Usd {
  if (!ATOMIC_TEXT.test(text)) throw new RangeError(`not an amount in millionths: ${JSON.stringify(text)}`)
  return BigInt(text) as Usd
}

export function toAtomic(amount: Usd): string {
  return amount.toString()
}

/** The shortest exact decimal: `0.012`, never `0.012000`. */
export function toDecimal(amount: Usd): string {
  const digits = amount.toString().padStart(DECIMALS + 1, '0')
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '')
  const whole = digits.slice(0, -DECIMALS)
  return fraction ? `${whole}.${fraction}` : whole
}

/** For documents that want a JSON number; exact for every amount below a billion dollars. */
export function toUsdNumber(amount: Usd): number {
  return Number(toDecimal(amount))
}
