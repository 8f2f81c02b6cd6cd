import { countOf, dollarsOf, type FactsById, numberOf, percentOf, sentences } from './figures.ts'

/** Price, what can be sold into, what it is said to be worth, and for how long. */
export function marketParagraph(facts: FactsById): string {
  return sentences(priceSentence(facts), poolsSentence(facts), valueSentence(facts), ageSentence(facts))
}

function priceSentence(facts: FactsById): string {
  const price = dollarsOf(facts, 'price_usd')
  if (price === undefined) return 'No pool gives it a price.'
  const [day, hour] = [way(facts, 'change_24h', '24 hours'), way(facts, 'change_1h', 'the last hour')]
  if (day && hour) return `It trades at ${price}, ${day} and ${hour}.`
  return `It trades at ${price}${day || hour ? `, ${day ?? hour}` : ''}.`
}

function way(facts: FactsById, id: string, span: string): string | undefined {
  const value = numberOf(facts, id)
  if (value === undefined) return undefined
  if (value === 0) return `unchanged in ${span}`
  return `${value > 0 ? 'up' : 'down'} ${percentOf(facts, id)} in ${span}`
}

function poolsSentence(facts: FactsById): string | undefined {
  const pools = numberOf(facts, 'pools')
  if (pools === 0) return 'There is no pool to trade it in.'
  const held = dollarsOf(facts, 'liquidity_usd')
  const volume = dollarsOf(facts, 'volume_24h_usd')
  const [buys, sells] = [countOf(facts, 'buys_24h'), countOf(facts, 'sells_24h')]
  const who = pools === 1 ? 'Its only pool' : `Its ${countOf(facts, 'pools')} pools`
  const holds = held && `${who} ${pools === 1 ? 'holds' : 'hold'} ${held}`
  const trades = buys && sells ? ` (buys: ${buys}, sells: ${sells})` : ''
  const traded = volume && `${volume} changed hands in 24 hours${trades}`
  if (holds && traded) return `${holds}, and ${traded}.`
  return holds || traded ? `${holds ?? traded}.` : undefined
}

function valueSentence(facts: FactsById): string | undefined {
  const [all, circulating] = [dollarsOf(facts, 'fdv_usd'), dollarsOf(facts, 'market_cap_usd')]
  if (!all) return circulating && `Its market capitalization is ${circulating}.`
  const rest = circulating && circulating !== all ? `, those in circulation ${circulating}` : ''
  return `At this price all tokens that exist are worth ${all}${rest}.`
}

const ageSentence = (facts: FactsById): string | undefined =>
  (facts.get('age_days') ?? facts.get('age_hours'))?.says
