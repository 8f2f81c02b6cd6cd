import { simAddress } from '../sim-address.ts'
import type { TokenSpec } from '../specs/token-spec.ts'
import type { SimHolder } from '../token-world.ts'
import { unitsOf } from '../units.ts'
import { WALLET_LIST } from './wallet-list.ts'

export const CROWD_SHOWN = 20
const CROWD_TOP = 10
const USUAL_TOP = 0.22
/** Each of the crowd has this much of what the one before has. */
const CROWD_STEP = 0.82

/** The largest of those who hold a token and have no name; what they have does not change. */
export function crowdOf(spec: TokenSpec, inPools: bigint): readonly Omit<SimHolder, 'share'>[] {
  const named = WALLET_LIST.flatMap(({ holdings }) => holdings)
    .filter((own) => own.token === spec.address)
    .reduce((sum, { amount }) => sum + amount, 0n)
  const taken = Number(named + inPools) / 10 ** spec.decimals
  const rest = spec.supply * (1 - (spec.burnt ?? 0) - (spec.ofCreator ?? 0)) - taken
  const top = (spec.crowdTop ?? USUAL_TOP) * Math.max(0, rest)
  const weights = Array.from({ length: CROWD_SHOWN }, (_, i) => CROWD_STEP ** i)
  const all = weights.slice(0, CROWD_TOP).reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight, i) => ({
    address: simAddress(`crowd/${spec.key}/${i}`),
    amount: unitsOf((top * weight) / all, spec.decimals),
    isContract: false,
    isLocked: false,
  }))
}
