import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

export type TextFile = { write(text: string): Promise<void>; end(): Promise<void> }

/** A file for more text than fits into memory. Rejects a bad path at once; a full disk makes `write` or `end` reject. */
export async function openTextFile(path: string): Promise<TextFile> {
  const out = createWriteStream(path)
  await once(out, 'open')
  // Without a listener of its own a failure between two writes would end the process.
  out.on('error', () => {})
  return {
    async write(text) {
      if (!out.write(text)) await once(out, 'drain')
    },
    async end() {
      out.end()
      await finished(out)
    },
  }
}
