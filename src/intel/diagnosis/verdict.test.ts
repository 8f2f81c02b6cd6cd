import { expect, test } from 'vitest'
import { soundFigures } from '../../testing/intel/diagnosed-tokens.ts'
import type { RiskReason, TokenAnalysis } from '../tokens/token-analysis.ts'
import { judge } from '../tokens/token-analyst.ts'
import { judgeReadiness } from './verdict.ts'

const sound = judge(soundFigures)
const risk = (code: string, severity: RiskReason['severity']): RiskReason => ({
  code,
  severity,
  words: `Words of ${code}.`,
  evidence: '',
  source: 'tollbook',
})
const withRisks = (...reasons: readonly RiskReason[]): TokenAnalysis => ({
  ...sound,
  risk: { rating: reasons[0]?.severity ?? 'low', reasons },
})
const withScore = (value: number, confidence: number): TokenAnalysis => ({
  ...sound,
  score: { ...sound.score, value, confidence },
})
const judged = (analysis: TokenAnalysis) => {
  const { verdict, reasons } = judgeReadiness(analysis)
  return [verdict, ...reasons.map(({ code }) => code)]
}

test.each([
  ['no risk, good score', sound, ['ready', 'nothing_found']],
  ['low risks only', withRisks(risk('buy_tax', 'low')), ['ready', 'nothing_found']],
  ['score at the bound', withScore(60, 1), ['ready', 'nothing_found']],
  ['score below the bound', withScore(59.9, 1), ['caution', 'low_score']],
  ['confidence at the bound', withScore(90, 0.5), ['ready', 'nothing_found']],
  ['confidence below the bound', withScore(90, 0.49), ['unknown', 'little_known']],
  ['medium risk', withRisks(risk('proxy', 'medium')), ['caution', 'proxy']],
  ['high risk', withRisks(risk('can_mint', 'high')), ['avoid', 'can_mint']],
  ['critical risk', withRisks(risk('honeypot', 'critical')), ['avoid', 'honeypot']],
  ['high because unknown', withRisks(risk('honeypot_unknown', 'high')), ['unknown', 'honeypot_unknown']],
  [
    'what is known to be bad goes first',
    withRisks(risk('honeypot_unknown', 'high'), risk('can_mint', 'high')),
    ['avoid', 'can_mint'],
  ],
  [
    'known to be bad, and hardly anything else known',
    { ...withRisks(risk('honeypot', 'critical')), score: { ...sound.score, confidence: 0.1 } },
    ['avoid', 'honeypot'],
  ],
  ['no price', { ...sound, market: { ...sound.market, priceUsd: undefined } }, ['unknown', 'no_price']],
])('%s', (_, analysis, expected) => {
  expect(judged(analysis)).toEqual(expected)
})

test('at most five reasons are named', () => {
  const many = Array.from({ length: 9 }, (_, index) => risk(`risk${index}`, 'high'))
  expect(judgeReadiness(withRisks(...many)).reasons).toHaveLength(5)
})
