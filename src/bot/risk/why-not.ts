import type { Look } from '../round/look.ts'
import type { RiskRule } from './risk-rule.ts'
import { RISK_RULES } from './rules.ts'

/** The name of the rule and a sentence for the operator. */
export type Objection = { reason: string; text: string }

/** The first rule that stops the round; undefined where none does. */
export const whyNoRound = (look: Look): Objection | undefined => firstOf(RISK_RULES, look)

const MONEY_RULES = RISK_RULES.filter(({ stops }) => stops === 'all')

/** The first rule that also stops a purchase by hand: those about money, the market and the age of its data. */
export const whyNoMoney = (look: Look): Objection | undefined => firstOf(MONEY_RULES, look)

function firstOf(rules: readonly RiskRule[], look: Look): Objection | undefined {
  for (const { name, why } of rules) {
    const text = why(look)
    if (text !== undefined) return { reason: name, text }
  }
  return undefined
}
