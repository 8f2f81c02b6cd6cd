import { isGenuine } from '../tokens/risk/imitation.ts'
import { worthUsd } from './amount-text.ts'
import type { OpenApproval, OpenApprovals } from './facts/open-approvals.ts'
import type { Spender } from './facts/spenders.ts'
import type { Approval, Approvals, Holding, SpenderKind, WalletWealth } from './wallet-analysis.ts'

/** Nobody means a limit by so much: wallets write 2^256 − 1, some contracts 2^160 − 1 or 2^96 − 1. */
const UNLIMITED_FROM = 2n ** 96n - 1n

/** How dangerous it is that they may take something, the worst last. Who could not be looked up is not safe. */
const DANGER: Readonly<Record<SpenderKind, number>> = {
  well_known: 0,
  // Anybody can publish source code, and call it what he likes.
  named_contract: 1,
  unknown: 1,
  unknown_contract: 1,
  account: 2,
  scam: 3,
}
export const isVouchedFor = (kind: SpenderKind): boolean => kind === 'well_known'

/** The supply of some tokens is more than that: all of it is as good as no limit. */
export function isUnlimited(allowance: bigint): boolean {
  return allowance >= UNLIMITED_FROM
}

/** How tokens are called that are not held any more, but passed through lately. */
type TokenNames = Pick<Holding, 'token' | 'symbol' | 'decimals'>

type Input = {
  open: OpenApprovals
  wealth: WalletWealth
  spenders: ReadonlyMap<string, Spender>
  passed?: readonly TokenNames[]
}

export function toApprovals({ open, wealth, spenders, passed = [] }: Input): Approvals {
  const holdings = new Map(wealth.holdings.map((holding) => [holding.token, holding]))
  const names = new Map([...passed, ...wealth.holdings].map((each) => [each.token, each]))
  const all = open.rows
    .map((row) => ({
      ...toApproval(row, holdings.get(row.token), wealth.isComplete, spenders.get(row.spender)),
      symbol: names.get(row.token)?.symbol,
      decimals: names.get(row.token)?.decimals,
    }))
    .sort(
      (a, b) =>
        Number(b.isVerified) - Number(a.isVerified) ||
        Number(b.mayCount) - Number(a.mayCount) ||
        DANGER[b.spenderKind] - DANGER[a.spenderKind] ||
        (b.atRiskUsd ?? 0) - (a.atRiskUsd ?? 0) ||
        Number(b.isUnlimited) - Number(a.isUnlimited) ||
        (b.sinceMs ?? 0) - (a.sinceMs ?? 0),
    )
  return { open: all, atRiskUsd: atRisk(all), isComplete: open.isComplete }
}

function toApproval(
  row: OpenApproval,
  holding: Holding | undefined,
  areAllKnown: boolean,
  spender: Spender | undefined,
): Omit<Approval, keyof TokenNames> & { token: string } {
  const atRiskUsd = atRiskOf(row.allowance, holding, areAllKnown)
  // Anybody can make a token that tells of approvals nobody gave.
  const isVerified = isGenuine(row.token) || (atRiskUsd ?? 0) > 0 || holding?.doubt === 'priced_by_explorer'
  return {
    token: row.token,
    spender: row.spender,
    spenderKind: spender?.kind ?? 'unknown',
    spenderName: spender?.name,
    allowance: row.allowance,
    isUnlimited: isUnlimited(row.allowance),
    isCurrent: row.isCurrent,
    sinceMs: row.sinceMs,
    isVerified,
    mayCount: !isVerified && holding?.doubt === 'not_told',
    atRiskUsd,
  }
}

/** The smaller of allowance and balance, with what the holding counts with: a scam token is no loss. */
function atRiskOf(allowance: bigint, holding: Holding | undefined, areAllKnown: boolean): number | undefined {
  if (holding === undefined) return areAllKnown ? 0 : undefined
  const { units, decimals, priceUsd, valueUsd } = holding
  if (valueUsd === undefined) return undefined
  if (allowance >= units) return valueUsd
  return Math.min(valueUsd, worthUsd(allowance, decimals, priceUsd) ?? valueUsd)
}

/** Two spenders that may take the same tokens can take them once. */
function atRisk(approvals: readonly Approval[]): number {
  const most = new Map<string, number>()
  for (const { token, spenderKind, atRiskUsd = 0 } of approvals)
    if (!isVouchedFor(spenderKind)) most.set(token, Math.max(most.get(token) ?? 0, atRiskUsd))
  return [...most.values()].reduce((sum, usd) => sum + usd, 0)
}
