import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { explainFileFault } from '../../core/file-fault.ts'
import { Stock } from './stock.ts'

/** What stands beside a dump: what must be in it, and what it must be itself. */
const Manifest = z.object({
  format: z.literal('tollbook-dump-1'),
  made_at_ms: z.int(),
  release: z.string(),
  dump: z.object({ bytes: z.int(), sha256: z.string() }),
  stock: Stock,
})
export type Manifest = z.infer<typeof Manifest>

const MAX_MANIFEST_BYTES = 4_194_304

export const manifestPath = (dump: string): string => `${dump}.manifest.json`

export function readManifest(path: string): Manifest {
  try {
    if (statSync(path).size > MAX_MANIFEST_BYTES) throw new Error(`${path} is no manifest: it is too large`)
    const read = Manifest.safeParse(JSON.parse(readFileSync(path, 'utf8')))
    if (!read.success) throw new SyntaxError('not its form')
    return read.data
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new Error(
        `${path} is no manifest of a dump, or is damaged: take the one that was written with it`,
      )
    throw explainFileFault(path, error) ?? error
  }
}

export async function measure(path: string): Promise<Manifest['dump']> {
  const sha256 = createHash('sha256')
  await pipeline(createReadStream(path), sha256)
  return { bytes: statSync(path).size, sha256: sha256.digest('hex') }
}

/** Throws unless the dump is, byte for byte, the one that the manifest was written with. */
export async function checkDump(dump: string, { dump: wanted }: Manifest): Promise<void> {
  const found = await measure(dump).catch((error: unknown) => {
    throw explainFileFault(dump, error) ?? error
  })
  if (found.sha256 !== wanted.sha256)
    throw new Error(
      `${dump} is damaged, or not the dump of its manifest: it has ${found.bytes} bytes and another SHA-256 than the ${wanted.bytes} bytes that were written. Take another backup`,
    )
}
