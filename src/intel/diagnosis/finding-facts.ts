import type { Fact } from '../writer/fact.ts'

/** The facts behind a risk, by its id. */
const EVIDENCE: Readonly<Record<string, readonly string[]>> = {
  'risk.honeypot': ['selling'],
  'risk.honeypot_one_source': ['selling'],
  'risk.few_sells': ['buys_24h', 'sells_24h'],
  'risk.buy_tax': ['buy_tax_percent'],
  'risk.sell_tax': ['sell_tax_percent'],
  'risk.transfer_tax': ['transfer_tax_percent'],
  'risk.low_liquidity': ['liquidity_usd'],
  'risk.liquidity_not_locked': ['locked_liquidity_percent'],
  'risk.young': ['age_hours', 'age_days'],
  'risk.collapsed': ['change_24h'],
  'risk.thin_value': ['fdv_usd', 'liquidity_usd'],
  'risk.top10': ['top10_percent'],
  'risk.one_holder': ['largest_holder_percent'],
  'risk.creator_holds': ['creator_percent'],
  'risk.few_holders': ['holders'],
  'risk.can_mint': ['owner'],
  'risk.can_pause_transfers': ['owner'],
  'risk.can_blacklist': ['owner'],
  'risk.can_change_tax': ['owner'],
  'risk.can_take_back_ownership': ['owner'],
}

export const evidenceFor = (riskId: string): readonly string[] => EVIDENCE[riskId] ?? []

/** From here on a figure speaks for a token. Bounds of the same order as those that cost points in its score. */
const GOOD_FROM: Readonly<Record<string, number>> = {
  liquidity_usd: 1_000_000,
  holders: 10_000,
  age_days: 180,
  locked_liquidity_percent: 90,
}

/** Facts that speak for the token, the weightiest first. */
export function strengthsAmong(byId: ReadonlyMap<string, Fact>): Fact[] {
  const selling = byId.get('selling')
  const owner = byId.get('owner')
  const isOneVoice = byId.has('risk.honeypot_one_source')
  return [
    selling?.value === 'can be sold' && !isOneVoice ? selling : undefined,
    ...Object.entries(GOOD_FROM).map(([id, from]) => {
      const fact = byId.get(id)
      return typeof fact?.value === 'number' && fact.value >= from ? fact : undefined
    }),
    owner?.value === 'given up' && !byId.has('risk.can_take_back_ownership') ? owner : undefined,
    byId.get('well_known'),
  ].filter((fact) => fact !== undefined)
}
