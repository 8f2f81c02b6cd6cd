import { percent } from '../in-words.ts'
import type { RiskRating, RiskReason, TokenFigures, TokenSource } from '../token-analysis.ts'
import { reason, severityOf } from './reason.ts'

// Who could sell everything at once. `docs/methodology/tokens.md` says what each bound rests on.

const TOP10_STEPS = [
  [0.5, 'high'],
  [0.3, 'medium'],
] as const satisfies readonly (readonly [number, RiskRating])[]
const SINGLE_STEPS = [
  [0.2, 'high'],
  [0.1, 'medium'],
] as const satisfies readonly (readonly [number, RiskRating])[]

const CONTRACT_STEPS = [
  [0.5, 'high'],
  [0.2, 'medium'],
] as const satisfies readonly (readonly [number, RiskRating])[]

const MIN_HOLDERS = 100

export function holderRisks({ holders, powers: { isTrusted } }: TokenFigures): RiskReason[] {
  const { count, top10Share, largest, contractShare, creatorShare, ownerShare } = holders
  const shares: readonly (RiskReason | undefined)[] = [
    top10Share &&
      shareRisk('top10', 'Ten holders have so much that they can break the price.', TOP10_STEPS, top10Share),
    largest &&
      shareRisk('one_holder', 'One holder has so much that he can break the price.', SINGLE_STEPS, {
        value: largest.value.share,
        source: largest.source,
      }),
    contractShare &&
      shareRisk(
        'unknown_contracts',
        'Contracts of which nobody says that they are pools or locks hold a lot.',
        CONTRACT_STEPS,
        contractShare,
      ),
    creatorShare &&
      shareRisk('creator_holds', 'Its creator still has a large part.', SINGLE_STEPS, creatorShare),
    ownerShare && shareRisk('owner_holds', 'Its owner has a large part.', SINGLE_STEPS, ownerShare),
    count && count.value < MIN_HOLDERS
      ? reason('few_holders', 'medium', 'Hardly anybody holds it.', `${count.value} holders`, count.source)
      : undefined,
    top10Share === undefined || largest === undefined
      ? reason('holders_unknown', 'medium', 'Who holds it is not known.', 'largest holders', 'tollbook')
      : undefined,
  ]
  const found = shares.filter((one) => one !== undefined)
  // The large holders of famous tokens are exchanges and bridges more often than not.
  return isTrusted ? found.map((one) => ({ ...one, severity: 'low' as const })) : found
}

function shareRisk(
  code: string,
  words: string,
  steps: readonly (readonly [number, RiskRating])[],
  { value, source }: { value: number; source: TokenSource },
): RiskReason | undefined {
  const severity = severityOf(value, steps)
  return severity && reason(code, severity, words, `${percent(value)} of the supply`, source)
}
