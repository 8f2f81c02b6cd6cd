import { wordsIn } from '../../intel/directory/words.ts'
import type { Offer } from './services.ts'

const MAX_WORDS = 40
/** How much a word counts, by where it stands. */
const WEIGHTS = { path: 3, summary: 2, about: 1 } as const
/** Below it an offer has only a stray word in common with the question. */
const MIN_SCORE = 2
/** In every question, and in many descriptions. */
const COMMON = new Set(
  'what how much do doe cost price paid call endpoint api get can i me my about which where who there have has need want give show tell use was not but all any be it its one two data'.split(
    ' ',
  ),
)

export type FindOffers = (words: string, limit: number) => readonly Offer[]

/** Endpoints that a question names by its words, best first; equal ones cheapest to name first, in catalog order. */
export function createFindOffers(offers: readonly Offer[]): FindOffers {
  const indexed = offers.map((offer) => ({
    offer,
    words: {
      path: new Set(wordsIn(offer.path.replaceAll(/[/{}_-]/g, ' '), MAX_WORDS)),
      summary: new Set(wordsIn(offer.summary, MAX_WORDS)),
      about: new Set(wordsIn(offer.about, MAX_WORDS * 2)),
    },
  }))
  return (words, limit) => {
    const asked = wordsIn(words, MAX_WORDS).filter((word) => !COMMON.has(word))
    const scored = indexed.map(({ offer, words: own }) => ({
      offer,
      score: asked.reduce((sum, word) => {
        const places = (['path', 'summary', 'about'] as const).filter((place) => own[place].has(word))
        return sum + places.reduce((best, place) => Math.max(best, WEIGHTS[place]), 0)
      }, 0),
    }))
    return scored
      .filter(({ score }) => score >= MIN_SCORE)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ offer }) => offer)
  }
}
