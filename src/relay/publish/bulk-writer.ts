import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Bulk } from '../values/bulk-values.ts'
import { chunkName } from '../wire/chunk-name.ts'
import { toText } from '../wire/codec.ts'
import type { RelayLog, Term } from '../wire/relay-log.ts'

/** A chunk is a millisecond or two of work; other tasks get their turn after each. */
const CHUNK_ITEMS = 200
const FAST = { level: 1 }
const zip = promisify(gzip)

/** Long lists in chunks that are named after what they hold: one that has not changed is not written again. */
export type BulkWriter = {
  /**
   * Undefined while the term is not ours: not begun yet, or over. Rejects where Redis is lost. The chunks of the list
   * before stay, for those who still read it.
   */
  write(list: string, items: readonly unknown[]): Promise<Bulk | undefined>
  /** Redis may have lost what it had. */
  forget(): void
}

export function createBulkWriter({ relay, term }: { relay: RelayLog; term: Term }): BulkWriter {
  const written = new Set<string>()
  const kept = new Map<string, { now: Bulk; before: Bulk }>()
  const isKept = (name: string) =>
    [...kept.values()].some(({ now, before }) => now.includes(name) || before.includes(name))
  const put = async (items: readonly unknown[]): Promise<string | undefined> => {
    const text = toText(items)
    const name = chunkName(text)
    if (written.has(name)) return name
    const zipped = await zip(text, FAST)
    if (!(await relay.putChunk(term, name, zipped.toString('base64')))) return undefined
    written.add(name)
    return name
  }
  return {
    async write(list, items) {
      const now: string[] = []
      for (let from = 0; from < items.length; from += CHUNK_ITEMS) {
        const name = await put(items.slice(from, from + CHUNK_ITEMS))
        if (name === undefined) return undefined
        now.push(name)
      }
      kept.set(list, { now, before: kept.get(list)?.now ?? [] })
      const dropped = [...written].filter((name) => !isKept(name))
      for (const name of dropped) written.delete(name)
      if (dropped.length > 0) await relay.dropChunks(term, dropped)
      return now
    },
    forget: () => written.clear(),
  }
}
