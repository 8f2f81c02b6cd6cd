const MILLION = 1_000_000
/** Far above any size or amount at the venue, and still exact as a number of millionths. */
const AMOUNT_MAX = 1_000_000_000

/** A price, a number of shares or dollars as a whole number of millionths; undefined for what is none of them. */
export function findMillionths(value: number | undefined): bigint | undefined {
  if (value === undefined || !(value >= 0 && value <= AMOUNT_MAX)) return undefined
  return BigInt(Math.round(value * MILLION))
}

/** For replies: exact below nine billion. */
export const fromMillionths = (amount: bigint): number => Number(amount) / MILLION

/** Rounds up: nobody is told that something costs less than it does. */
export const divideUp = (over: bigint, under: bigint): bigint => (over + under - 1n) / under

export const divideHalfUp = (over: bigint, under: bigint): bigint => (2n * over + under) / (2n * under)
