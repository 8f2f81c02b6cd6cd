import type { Clock } from '../../core/time/clock.ts'
import { HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import type { Bazaar } from '../../upstreams/bazaar/client.ts'
import type { Ecosystem } from '../../upstreams/ecosystem/client.ts'
import { createPolled } from '../../upstreams/polled.ts'
import { type Ages, type Part, toPart } from '../part.ts'
import { LISTS, type ListName } from './listing.ts'
import { createBazaarReader, type ReadList } from './read-bazaar.ts'
import { createEcosystemReader } from './read-ecosystem.ts'
import { type DirectoryQuery, type Found, searchIndex } from './search.ts'
import { buildIndex, NO_INDEX, type SearchIndex } from './search-index.ts'

/** What is behind a list: how many of its entries are searched, and how many cannot be shown. */
export type ListPart = Part<{ listings: number; withheld: number; leftOut: number }>

/** Who sells through x402, from both lists. */
export type Directory = {
  find(query: Omit<DirectoryQuery, 'lists'>): Found
  parts(): Readonly<Record<ListName, ListPart>>
  /** Another one whenever other entries are searched. */
  version(): number
}

export type DirectoryFeed = Directory & {
  /** Resolves when both lists have been read once, well or not. */
  start(): Promise<void>
  stop(): void
}

const READ_EVERY_MS = 30 * MINUTE_MS
/** Two reads may fail; after a day most prices and figures of use are of another day. */
export const DIRECTORY_AGES: Ages = { freshMs: 90 * MINUTE_MS, hardMs: 24 * HOUR_MS }
export const SOURCES: Readonly<Record<ListName, string>> = {
  bazaar: 'cdp_bazaar',
  ecosystem: 'x402_ecosystem',
}

type Ports = { bazaar: Bazaar; ecosystem: Ecosystem; clock: Clock; random: () => number }

export function createDirectory({ bazaar, ecosystem, clock, random }: Ports): DirectoryFeed {
  const stopped = new AbortController()
  const lists = new Map<ListName, ReadList>()
  let index: SearchIndex = NO_INDEX
  let version = 0
  let building = Promise.resolve()

  const rebuild = () => {
    building = building.then(async () => {
      const listings = LISTS.flatMap((name) => lists.get(name)?.listings ?? [])
      index = await buildIndex(listings, clock.now())
      version++
    })
    return building
  }
  const follow = (name: ListName, read: () => Promise<ReadList>) =>
    createPolled({
      ...{ clock, random },
      everyMs: READ_EVERY_MS,
      async fetch() {
        const list = await read()
        lists.set(name, list)
        await rebuild()
        const withheld = list.listings.filter(({ isWithheld }) => isWithheld).length
        return { listings: list.listings.length, withheld, leftOut: list.leftOut }
      },
    })
  const ports = { clock, signal: stopped.signal }
  const polled = {
    bazaar: follow('bazaar', createBazaarReader({ ...ports, bazaar })),
    ecosystem: follow('ecosystem', createEcosystemReader({ ...ports, ecosystem })),
  }
  const partOf = (name: ListName): ListPart =>
    toPart(
      { source: SOURCES[name], ages: DIRECTORY_AGES, nowMs: clock.now() },
      polled[name].last(),
      polled[name].fault(),
    )
  const parts = () => ({ bazaar: partOf('bazaar'), ecosystem: partOf('ecosystem') })
  return {
    find(query) {
      const all = parts()
      return searchIndex(index, {
        ...query,
        lists: new Set(LISTS.filter((name) => all[name].status !== 'missing')),
      })
    },
    parts,
    version: () => version,
    async start() {
      await Promise.all([polled.bazaar.start(), polled.ecosystem.start()])
    },
    stop() {
      stopped.abort()
      for (const name of LISTS) polled[name].stop()
    },
  }
}
