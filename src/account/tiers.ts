/** Rights by whole project tokens held, the lowest first. */
export const TIERS = [
  { name: 'none', tokens: 0n, callsPerDay: 0 },
  { name: 'holder', tokens: 1n, callsPerDay: 100 },
  { name: 'premium', tokens: 100n, callsPerDay: 10_000 },
] as const
/**
 * Of all holders together: 20 premium allowances. The same project tokens can pass from wallet to wallet within a day
 * and open an allowance in each; this bounds what that costs us.
 */
export const HOLDERS_CALLS_PER_DAY = 200_000
export type Tier = (typeof TIERS)[number]
export type TierName = Tier['name']
export const TIER_NAMES = ['none', 'holder', 'premium'] as const satisfies readonly TierName[]

/** What a wallet holds of the project token, in its smallest unit. */
export type Balance = { units: bigint; decimals: number }

/** Floors: 99.999 tokens are 99. */
export function tierOf({ units, decimals }: Balance): Tier {
  const whole = units / 10n ** BigInt(decimals)
  return TIERS.findLast(({ tokens }) => whole >= tokens) ?? TIERS[0]
}

/** The next tier and how much is missing for it; undefined in the highest. */
export function nextTier(balance: Balance): { tier: Tier; missing: number } | undefined {
  const tier = TIERS[TIERS.indexOf(tierOf(balance)) + 1]
  if (!tier) return undefined
  const wanted = tier.tokens * 10n ** BigInt(balance.decimals)
  return { tier, missing: wholeTokens({ ...balance, units: wanted - balance.units }) }
}

/** For people to read; rights are decided on the exact amount. */
export const wholeTokens = ({ units, decimals }: Balance): number => Number(units) / 10 ** decimals

export const findTier = (name: unknown): Tier | undefined => TIERS.find((tier) => tier.name === name)
