import { z } from 'zod'
import { readRows, type Skipped } from '../wire/list.ts'
import { maybeNumber } from '../wire/number.ts'
import { wireArray, wireText } from '../wire/text.ts'
import { maybeTime } from '../wire/time.ts'
import { orUnknown, shownWords } from '../wire/unknown.ts'

const MAX_ROWS = 1_000
const MAX_ACCEPTS = 20
const MAX_TAGS = 20
const MAX_URL_CHARS = 2_000
const MAX_NAME_CHARS = 200
const MAX_TEXT_CHARS = 2_000
const MAX_TAG_CHARS = 100
const MAX_ID_CHARS = 200
const MAX_COUNT = 1e12
/** A uint256 has 78 digits. */
const UNITS = /^\d{1,78}$/

/** One way to pay for a resource. */
export type ListedTerms = {
  network: string
  asset: string
  /** Of the asset's smallest unit, at most; undefined where the row does not say. */
  units: number | undefined
}

/** What the bazaar says of one resource. Texts are as they were sent, only cut. */
export type BazaarResource = {
  url: string
  kind: 'http' | 'mcp' | 'other'
  name: string
  description: string
  tags: readonly string[]
  terms: readonly ListedTerms[]
  calls30d: number | undefined
  payers30d: number | undefined
  lastCalledMs: number | undefined
  updatedMs: number | undefined
}

export type BazaarPage = {
  resources: readonly BazaarResource[]
  /** Rows of the reply, good and bad. */
  rows: number
  skipped: Skipped
  /** Of the whole list; undefined where the reply does not say. */
  total: number | undefined
}

/** A whole number of units, as text or as number; for comparison and display, so a double is exact enough. */
const units = () =>
  orUnknown(
    z.union([z.string().regex(UNITS), z.number().nonnegative().finite()]).transform((value) => Number(value)),
  )

const Terms = z
  .object({
    network: wireText(MAX_ID_CHARS, 1),
    asset: shownWords(MAX_ID_CHARS),
    // Version 2 says `amount`, version 1 `maxAmountRequired`.
    amount: units(),
    maxAmountRequired: units(),
    description: shownWords(MAX_TEXT_CHARS),
  })
  .transform(({ network, asset, amount, maxAmountRequired, description }) => ({
    description,
    terms: { network, asset, units: amount ?? maxAmountRequired } satisfies ListedTerms,
  }))

const words = {
  description: shownWords(MAX_TEXT_CHARS),
  serviceName: shownWords(MAX_NAME_CHARS),
  tags: z
    .unknown()
    .optional()
    .transform((tags) =>
      (Array.isArray(tags) ? tags.slice(0, MAX_TAGS) : [])
        .filter((tag) => typeof tag === 'string')
        .map((tag) => tag.slice(0, MAX_TAG_CHARS)),
    ),
}
const url = () => wireText(MAX_URL_CHARS, 1)
const NO_WORDS = { description: '', serviceName: '', tags: [] }

/** Its address alone, or with words of its own. */
const Resource = z.union(
  [url().transform((text) => ({ url: text, ...NO_WORDS })), z.object({ url: url(), ...words })],
  'expected an address',
)

const Metadata = z.object({ name: shownWords(MAX_NAME_CHARS), description: shownWords(MAX_TEXT_CHARS) })
const count = () => orUnknown(maybeNumber({ min: 0, max: MAX_COUNT }))
const Quality = z.object({
  l30DaysTotalCalls: count(),
  l30DaysUniquePayers: count(),
  lastCalledAt: orUnknown(maybeTime()),
})

const Row = z
  .object({
    resource: Resource,
    type: shownWords(MAX_ID_CHARS),
    ...words,
    accepts: z.array(z.unknown()),
    metadata: orUnknown(Metadata),
    quality: orUnknown(Quality),
    lastUpdated: orUnknown(maybeTime()),
  })
  .transform(({ resource, accepts, metadata, quality, ...row }): BazaarResource => {
    const offers = readRows(accepts.slice(0, MAX_ACCEPTS), Terms).rows
    return {
      url: resource.url,
      kind: row.type === 'http' || row.type === '' ? 'http' : row.type === 'mcp' ? 'mcp' : 'other',
      name: row.serviceName || resource.serviceName || metadata?.name || '',
      description:
        row.description ||
        resource.description ||
        offers.find(({ description }) => description !== '')?.description ||
        metadata?.description ||
        '',
      tags: row.tags.length > 0 ? row.tags : resource.tags,
      terms: offers.map(({ terms }) => terms),
      calls30d: quality?.l30DaysTotalCalls,
      payers30d: quality?.l30DaysUniquePayers,
      lastCalledMs: quality?.lastCalledAt,
      updatedMs: row.lastUpdated,
    }
  })

const rowsOf = () => wireArray(z.unknown(), MAX_ROWS)

/** `/discovery/resources` names its rows `items`, `/discovery/search` names them `resources`. */
export const ResourcesReply = z
  .union([
    z.object({ items: rowsOf(), pagination: z.unknown().optional() }),
    z
      .object({ resources: rowsOf(), pagination: z.unknown().optional() })
      .transform(({ resources, pagination }) => ({ items: resources, pagination })),
  ])
  .transform(({ items, pagination }, { issues }): BazaarPage => {
    const read = readRows(items, Row)
    if (read.isBroken)
      issues.push({
        code: 'custom',
        input: undefined,
        message: `${read.skipped.count} rows break the format: ${read.skipped.reasons[0]}`,
      })
    const said = Pagination.safeParse(pagination)
    return {
      resources: read.rows,
      rows: items.length,
      skipped: read.skipped,
      total: said.success ? said.data.total : undefined,
    }
  })

const Pagination = z.object({ total: count() })
