import { SECOND_MS } from '../../../../core/time/time.ts'
import type { PredictionVenue } from '../../../prediction/venue.ts'
import { microText } from '../wire-time.ts'
import { numericId } from './describe.ts'
import { labelOf } from './words.ts'

/** The numbers of well-known tags; others get one of their own. */
const KNOWN_IDS: Readonly<Record<string, string>> = {
  sports: '1',
  politics: '2',
  crypto: '21',
  bitcoin: '235',
  'crypto-prices': '1312',
  recurring: '101757',
  'up-or-down': '102127',
  'hide-from-new': '102169',
  '5M': '102892',
}
const CREATED_MS = Date.UTC(2025, 0, 6)

export function toTag(slug: string) {
  const id = (Object.hasOwn(KNOWN_IDS, slug) ? KNOWN_IDS[slug] : undefined) ?? numericId(`tag ${slug}`)
  const createdMs = CREATED_MS + (Number(id) % 100_000) * SECOND_MS
  return {
    id,
    label: labelOf(slug),
    slug,
    forceShow: false,
    createdAt: microText(createdMs),
    updatedAt: microText(createdMs),
    requiresTranslation: false,
  }
}

/** Every tag that a listed market carries, in the order in which they are met. */
export function listTags(venue: PredictionVenue) {
  return [...new Set(venue.markets().flatMap(({ tags }) => tags))].map(toTag)
}
