import type { ShownMarket } from './shown-list.ts'

/** More than the venue has; the rest of a longer list is not named. */
export const CATEGORIES_SHOWN = 40

/** With the number of their markets, the largest first. */
export function categoriesOf(markets: readonly ShownMarket[]): { category: string; markets: number }[] {
  return [...Map.groupBy(markets, ({ fields }) => fields.category)]
    .map(([category, ofIt]) => ({ category, markets: ofIt.length }))
    .sort((a, b) => b.markets - a.markets || (a.category < b.category ? -1 : 1))
    .slice(0, CATEGORIES_SHOWN)
}

/** Why a list is empty, for those who misspelt a category. */
export function whyEmpty(category: string | undefined, known: readonly { category: string }[]): string {
  const isKnown = category === undefined || known.some((each) => each.category === category)
  return isKnown
    ? 'no market passes these filters'
    : `no market is listed under ${JSON.stringify(category)}; categories names those that there are`
}
