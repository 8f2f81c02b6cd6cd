import type { BazaarResource } from '../../upstreams/bazaar/wire.ts'
import type { Partner } from '../../upstreams/ecosystem/wire.ts'
import { cleanText, looksLikeInstructions } from '../hostile-text.ts'
import type { Category, Listing } from './listing.ts'
import { networksOf, priceOf } from './networks.ts'
import { findPublicUrl, hostOf } from './public-url.ts'

const NAME_CHARS = 80
const DESCRIPTION_CHARS = 400
const TAG_CHARS = 40
const MAX_TAGS = 8

/** Undefined where its address cannot be shown. */
export function fromBazaar(resource: BazaarResource): Listing | undefined {
  const url = findPublicUrl(resource.url)
  if (!url) return undefined
  return {
    list: 'bazaar',
    ...toAddress(url),
    ...toTexts(resource, hostOf(url)),
    category: 'services-endpoints',
    kind: resource.kind,
    networks: networksOf(resource.terms.map(({ network }) => network)),
    price: priceOf(resource.terms),
    calls30d: resource.calls30d,
    payers30d: resource.payers30d,
    lastCalledMs: resource.lastCalledMs,
    updatedMs: resource.updatedMs,
  }
}

export function fromPartner(partner: Partner): Listing | undefined {
  const url = findPublicUrl(partner.url)
  if (!url) return undefined
  return {
    list: 'ecosystem',
    ...toAddress(url),
    ...toTexts({ ...partner, tags: [] }, hostOf(url)),
    category: categoryOf(partner.category),
    kind: 'other',
    networks: networksOf(partner.networks),
    price: undefined,
    calls30d: undefined,
    payers30d: undefined,
    lastCalledMs: undefined,
    updatedMs: undefined,
  }
}

const toAddress = (url: URL) => ({ url: url.href, host: hostOf(url) })

type Texts = Pick<BazaarResource, 'name' | 'description' | 'tags'>

/** One text may begin what the next one ends, so they are judged together; and the name also alone. */
function toTexts({ name, description, tags }: Texts, host: string) {
  const isWithheld = looksLikeInstructions([name, description, tags.join(' ')].join('\n'))
  const shownName = isWithheld && looksLikeInstructions(name) ? '' : cleanText(name, NAME_CHARS)
  if (isWithheld) return { name: shownName || host, description: '', isWithheld, tags: [] }
  const shownTags = tags.map((tag) => cleanText(tag, TAG_CHARS)).filter((tag) => tag !== '')
  return {
    name: shownName || host,
    description: cleanText(description, DESCRIPTION_CHARS),
    isWithheld,
    tags: [...new Set(shownTags)].slice(0, MAX_TAGS),
  }
}

/** By the names of x402.org, and by the ids of its repository. */
const BY_NAME: Readonly<Record<string, Category>> = {
  'services-endpoints': 'services-endpoints',
  'infrastructure-tooling': 'infrastructure-tooling',
  'ecosystem-infrastructure': 'infrastructure-tooling',
  facilitators: 'facilitators',
  'client-side-integrations': 'client-integrations',
  'client-integrations': 'client-integrations',
  'learning-community': 'learning-community',
  'learning-community-resources': 'learning-community',
}

function categoryOf(name: string): Category {
  const id = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return (Object.hasOwn(BY_NAME, id) && BY_NAME[id]) || 'other'
}
