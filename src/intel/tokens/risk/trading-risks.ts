import { percent } from '../in-words.ts'
import type { RiskRating, RiskReason, TokenFigures, TokenTaxes, Told } from '../token-analysis.ts'
import { BUYS_PER_SELL, buysPerSell, HIGH_TAX } from './bounds.ts'
import { reason, severityOf } from './reason.ts'

// What keeps a buyer from selling again. `docs/methodology/tokens.md` says what each bound rests on.

const TAX_STEPS = [
  [0.5, 'critical'],
  [HIGH_TAX, 'high'],
  [0.05, 'medium'],
  [0.005, 'low'],
] as const satisfies readonly (readonly [number, RiskRating])[]

const BUYS_PER_SELL_STEPS = [
  [BUYS_PER_SELL, 'high'],
  [3, 'medium'],
] as const satisfies readonly (readonly [number, RiskRating])[]

export function tradingRisks(figures: TokenFigures): RiskReason[] {
  return [...honeypotRisks(figures), ...taxRisks(figures.taxes), ...sellerRisks(figures)]
}

function honeypotRisks({ honeypot }: TokenFigures): RiskReason[] {
  const { verdict, told, by, isDisputed } = honeypot
  const evidence = told.map((one) => `${one.source} says ${one.verdict}`).join(', ') || 'no source answered'
  const [first = 'tollbook'] = by
  if (verdict === 'yes')
    return [
      reason(
        'honeypot',
        'critical',
        isDisputed
          ? 'A risk source says that it cannot be sold, another says that it can.'
          : 'It cannot be sold: a honeypot.',
        evidence,
        first,
      ),
    ]
  if (verdict === 'unknown')
    return [
      reason(
        'honeypot_unknown',
        'high',
        'Nobody could tell whether it can be sold. That is not a good sign.',
        evidence,
        'tollbook',
      ),
    ]
  if (by.length > 1) return []
  return [
    reason('honeypot_one_source', 'medium', 'Only one source says that it can be sold.', evidence, first),
  ]
}

const TAXES: readonly (readonly [keyof TokenTaxes, string])[] = [
  ['sell', 'sale'],
  ['buy', 'purchase'],
  ['transfer', 'transfer'],
]

function taxRisks(taxes: TokenTaxes): RiskReason[] {
  const found = TAXES.flatMap(([kind, noun]) => {
    const tax = taxes[kind]
    return tax === undefined ? [] : taxRisk(kind, noun, tax)
  })
  const unknown = (['buy', 'sell'] as const).filter((kind) => taxes[kind] === undefined)
  if (unknown.length === 0) return found
  const words = 'What a trade is taxed is not known.'
  return [...found, reason('tax_unknown', 'medium', words, `${unknown.join(' and ')} tax`, 'tollbook')]
}

function taxRisk(kind: string, noun: string, { value, source }: Told<number>): RiskReason[] {
  const severity = severityOf(value, TAX_STEPS)
  if (severity === undefined) return []
  const words = `Each ${noun} loses a share to the token's tax.`
  return [reason(`${kind}_tax`, severity, words, `${kind} tax ${percent(value)}`, source)]
}

function sellerRisks({ market }: TokenFigures): RiskReason[] {
  const { buys24h, sells24h } = market
  const severity = severityOf(buysPerSell(buys24h, sells24h) ?? 0, BUYS_PER_SELL_STEPS)
  if (severity === undefined) return []
  return [
    reason(
      'few_sells',
      severity,
      'Far more buys than sells: as it looks where selling is hindered.',
      `${buys24h} buys, ${sells24h} sells in 24 hours`,
      'dexscreener',
    ),
  ]
}
