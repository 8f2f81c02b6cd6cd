import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { z } from 'zod'
import type { Bulk } from '../values/bulk-values.ts'
import { chunkName } from '../wire/chunk-name.ts'
import { fromText } from '../wire/codec.ts'
import type { RelayLog } from '../wire/relay-log.ts'

/** Of one chunk, unpacked. */
const CHUNK_BYTES_MAX = 16_777_216
const unzip = promisify(gunzip)

/** Reads long lists; chunks that are known already are not read again. */
export type BulkReader<T> = {
  /** Rejects where a chunk is gone or is not what its name says. */
  read(names: Bulk): Promise<readonly T[]>
}

export function createBulkReader<T>(relay: Pick<RelayLog, 'chunk'>, item: z.ZodType<T>): BulkReader<T> {
  const items = z.array(item)
  let known = new Map<string, readonly T[]>()
  const readChunk = async (name: string): Promise<readonly T[]> => {
    const packed = await relay.chunk(name)
    if (packed === undefined) throw new Error('a chunk of it is gone')
    const unpacked = await unzip(Buffer.from(packed, 'base64'), { maxOutputLength: CHUNK_BYTES_MAX })
    const text = unpacked.toString()
    if (chunkName(text) !== name) throw new Error('a chunk of it is another one')
    const value = fromText(text)
    items.parse(value)
    return value as readonly T[]
  }
  return {
    async read(names) {
      const next = new Map<string, readonly T[]>()
      for (const name of names) next.set(name, known.get(name) ?? (await readChunk(name)))
      known = next
      return names.flatMap((name) => next.get(name) ?? [])
    },
  }
}
