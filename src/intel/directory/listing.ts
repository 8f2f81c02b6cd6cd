/** What can be asked for, and where what fits nowhere else is put. */
export const CATEGORIES = [
  'services-endpoints',
  'infrastructure-tooling',
  'facilitators',
  'client-integrations',
] as const
export const ALL_CATEGORIES = [...CATEGORIES, 'learning-community', 'other'] as const
export type Category = (typeof ALL_CATEGORIES)[number]

export const LISTS = ['bazaar', 'ecosystem'] as const
export type ListName = (typeof LISTS)[number]

/** Of one call, in USDC. */
export type PriceRange = { min: number; max: number }

/** One entry of a list, cleaned: its texts may be shown. */
export type Listing = {
  list: ListName
  url: string
  host: string
  name: string
  description: string
  /** The text gave instructions to models, so it is not shown and not searched. */
  isWithheld: boolean
  tags: readonly string[]
  category: Category
  kind: 'http' | 'mcp' | 'other'
  networks: readonly string[]
  price: PriceRange | undefined
  calls30d: number | undefined
  payers30d: number | undefined
  lastCalledMs: number | undefined
  updatedMs: number | undefined
}
