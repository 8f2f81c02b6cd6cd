import { countOf, type FactsById, percentOf, sentences } from './figures.ts'

/** In how many hands it is, and whether the liquidity can be taken away. */
export function holdersParagraph(facts: FactsById): string {
  const [count, top, largest] = [
    countOf(facts, 'holders'),
    percentOf(facts, 'top10_percent'),
    percentOf(facts, 'largest_holder_percent'),
  ]
  return sentences(
    count && `It has ${count} holders.`,
    top
      ? `The ten largest that are neither contracts nor locks own ${top} of the supply${largest ? `, the largest of them ${largest}` : ''}.`
      : largest && `The largest of them owns ${largest} of the supply.`,
    facts.get('locked_liquidity_percent')?.says,
    count || top || largest ? undefined : 'Who holds it is not known.',
  )
}
