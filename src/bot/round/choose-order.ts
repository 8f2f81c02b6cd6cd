import { whyNoRound } from '../risk/why-not.ts'
import { factsOf } from './facts.ts'
import type { Choice, Look } from './look.ts'
import { purchaseTerms } from './purchase-terms.ts'
import { chooseSide } from './side.ts'

/** What one look decides, with the numbers that it saw. The reason is the name of the rule, or of what chose the side. */
export function chooseOrder(look: Look): Choice {
  const side = chooseSide(look)
  const terms = side && purchaseTerms(look, side, look.config.sizeUsd)
  const facts = factsOf(look, side, terms)
  const none = (reason: string): Choice => ({ action: 'none', reason, facts })
  const objection = whyNoRound(look)
  if (objection) return none(objection.reason)
  if (!side || !terms) return none('no_signal')
  if (side.whyNot !== undefined) return none(side.whyNot)
  if ('reason' in terms) return none(terms.reason)
  const { priceE4, tickE4, spendE6, maxFeeE6 } = terms
  const { outcome, chosenBy } = side
  return { action: 'buy', reason: chosenBy, outcome, priceE4, tickE4, spendE6, maxFeeE6, facts }
}
