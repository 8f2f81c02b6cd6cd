/**
 * The subjects that markets are filtered by, with the venue's tags that stand for each. An event has several tags; the
 * first subject in this order that one of them names is its category, so the narrow ones stand before the wide ones.
 */
const TAGS_BY_SUBJECT = {
  weather: ['weather', 'climate', 'climate-science', 'daily-temperature', 'hurricanes'],
  sports: [
    'sports',
    'esports',
    'soccer',
    'nba',
    'nfl',
    'mlb',
    'nhl',
    'tennis',
    'golf',
    'mma',
    'f1',
    'cricket',
  ],
  crypto: ['crypto', 'crypto-prices', 'bitcoin', 'ethereum', 'solana', 'xrp', 'up-or-down'],
  politics: ['politics', 'elections', 'us-politics', 'us-presidential-election', 'trump', 'congress'],
  economy: ['economy', 'finance', 'business', 'stocks', 'earnings', 'fed-rates', 'inflation', 'commodities'],
  tech: ['tech', 'ai', 'big-tech', 'science', 'space'],
  culture: ['culture', 'pop-culture', 'movies', 'music', 'awards', 'celebrities', 'mentions'],
  world: ['world', 'geopolitics', 'middle-east', 'ukraine', 'global-elections', 'world-elections'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export const OTHER_SUBJECT = 'other'

/** The category of an event by the slugs of its tags. */
export function subjectOf(tags: readonly string[]): string {
  const slugs = new Set(tags.map((tag) => tag.toLowerCase()))
  const named = Object.entries(TAGS_BY_SUBJECT).find(
    ([subject, synonyms]) => slugs.has(subject) || synonyms.some((synonym) => slugs.has(synonym)),
  )
  return named?.[0] ?? OTHER_SUBJECT
}
