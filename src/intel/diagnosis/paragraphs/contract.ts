import { listed } from '../in-words.ts'
import { type FactsById, numberOf, percentOf, sentences } from './figures.ts'

/** Whether it can be sold, what that costs, and what others can do to those who hold it. `said` was said before. */
export function contractParagraph(facts: FactsById, said: ReadonlySet<string>): string {
  return sentences(
    said.has('risk.honeypot') || said.has('risk.honeypot_unknown') ? undefined : sellingSentence(facts),
    taxSentence(facts),
    powersSentence(facts),
    ...TOLD_APART.map((id) => (said.has(id) ? undefined : facts.get(id)?.says)),
  )
}

const sellingSentence = (facts: FactsById): string =>
  facts.get('selling')?.says ?? 'Whether it can be sold is not known.'

/** Dangers that are no power of the owner. */
const TOLD_APART = [
  'risk.limits_sales',
  'risk.can_self_destruct',
  'risk.hidden_owner',
  'risk.closed_source',
  'risk.imitation',
  'risk.hostile_name',
  'risk.airdrop_scam',
  'risk.fake_token',
  'risk.more_than_supply',
  'risk.creator_made_honeypots',
  'risk.holders_cannot_sell',
  'risk.holders_siphoned',
  'risk.holder_tax',
  'risk.critical_flag',
  'risk.high_flag',
  'risk.rated_risky',
  'risk.cannot_buy',
  'risk.trading_cooldown',
  'risk.can_limit_trades',
  'risk.has_whitelist',
  'risk.calls_others',
  'risk.abuses_gas',
]

function taxSentence(facts: FactsById): string | undefined {
  const [buy, sell] = [numberOf(facts, 'buy_tax_percent'), numberOf(facts, 'sell_tax_percent')]
  if (buy === 0 && sell === 0) return 'Neither purchases nor sales are taxed.'
  const known = [
    sell !== undefined && `${percentOf(facts, 'sell_tax_percent')} of a sale`,
    buy !== undefined && `${percentOf(facts, 'buy_tax_percent')} of a purchase`,
  ].filter((text) => typeof text === 'string')
  return known.length === 0 ? 'What a trade is taxed is not known.' : `The tax takes ${listed(known)}.`
}

/** What the contract allows, as the end of a sentence. */
const POWERS: Readonly<Record<string, string>> = {
  'risk.can_change_balances': 'to write the balances of others',
  'risk.can_mint': 'to make more tokens',
  'risk.can_pause_transfers': 'to stop all transfers',
  'risk.can_blacklist': 'to keep single holders from transferring',
  'risk.can_change_tax': 'to raise the tax later',
  'risk.proxy': 'to replace its code',
}

function powersSentence(facts: FactsById): string | undefined {
  const powers = Object.entries(POWERS).flatMap(([id, words]) => (facts.has(id) ? [words] : []))
  const owner = facts.get('owner')
  if (powers.length > 0) {
    const isGivenUp = owner?.value === 'given up'
    const though = isGivenUp ? ', although the ownership was given up' : ''
    return `Its contract leaves ways ${listed(powers)}${though}.`
  }
  if (facts.has('risk.powers_unknown')) return facts.get('risk.powers_unknown')?.says
  return sentences('No power over those who hold it was found in its contract.', owner?.says)
}
