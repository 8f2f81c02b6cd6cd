import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { Ecosystem, PartnerEntry } from '../../upstreams/ecosystem/client.ts'
import { askPatiently } from '../../upstreams/rules/ask-patiently.ts'
import { UpstreamError } from '../../upstreams/upstream.ts'
import type { Listing } from './listing.ts'
import type { ReadList } from './read-bazaar.ts'
import { fromPartner } from './to-listing.ts'

/** Four times what is listed. */
const MAX_PARTNERS = 1_500
const AT_ONCE = 4
const MAX_READ_MS = 15 * MINUTE_MS

type Ports = { ecosystem: Ecosystem; clock: Clock; signal: AbortSignal }
/** `listing` is undefined where the file cannot be shown. */
type Kept = { sha: string; listing: Listing | undefined }

/** Reads the list of files, and of the files only those that changed. What was read is kept when another one fails. */
export function createEcosystemReader({ ecosystem, clock, signal }: Ports): () => Promise<ReadList> {
  const kept = new Map<string, Kept>()
  const readOne = async (entry: PartnerEntry, untilMs: number) => {
    const ask = () => ecosystem.partner(entry)
    const listing = await askPatiently(ask, { clock, signal, untilMs }).then(fromPartner, (error) => {
      if (isUnreadable(error)) return undefined
      throw error
    })
    kept.set(entry.folder, { sha: entry.sha, listing })
  }
  return async () => {
    const untilMs = clock.now() + MAX_READ_MS
    const entries = (await ecosystem.entries()).slice(0, MAX_PARTNERS)
    const folders = new Set(entries.map(({ folder }) => folder))
    for (const folder of kept.keys()) if (!folders.has(folder)) kept.delete(folder)
    const changed = entries.filter(({ folder, sha }) => kept.get(folder)?.sha !== sha)
    const queue = changed.values()
    const workers = Array.from({ length: AT_ONCE }, async () => {
      for (const entry of queue) await readOne(entry, untilMs)
    })
    const failed = (await Promise.allSettled(workers)).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    const listings = [...kept.values()].flatMap(({ listing }) => listing ?? [])
    if (listings.length < entries.length / 2)
      throw new UpstreamError(
        'malformed',
        `only ${listings.length} of ${entries.length} partners can be read`,
      )
    return { listings, leftOut: entries.length - listings.length }
  }
}

/** Such a file is asked for again when it changes. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof UpstreamError && (error.fault === 'malformed' || error.fault === 'not_found')
