import { z } from 'zod'

/** Pages on how figures are made: `docs/methodology/<page>.md` of the repository, served at `/methodology/<page>`. */
export const METHOD_PAGES = [
  'tokens',
  'wallets',
  'diagnosis',
  'sentiment',
  'derivatives',
  'whales',
  'discover',
  'indicators',
  'probability',
  'history',
  'results',
  'record',
  'bot-results',
  'sources',
] as const
export type MethodPage = (typeof METHOD_PAGES)[number]

/** Where a page, or one section of it, is read. A section is called as its heading is, in small letters with hyphens. */
export function methodLink(page: MethodPage, section?: string): `/methodology/${string}` {
  return `/methodology/${page}${section === undefined ? '' : `#${section}`}`
}

export const Method = z
  .string()
  .describe('Where it is written how this is computed: an address of this service')
