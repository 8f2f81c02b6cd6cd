import { createReadStream, statSync } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** A text file, gzipped or not, in batches of lines: one await per line would cost more than reading it. */
export type TextLines = {
  batches: AsyncIterable<readonly string[]>
  /** Bytes of the file itself, before unpacking. */
  readonly bytesRead: number
  bytes: number
}

/** Far longer than any valid row: a file without line ends must not fill the memory. */
const LINE_MAX = 1_000_000

export function openLines(file: string): TextLines {
  const { size } = statSync(file)
  const raw = createReadStream(file)
  // Errors of the file surface in the last stream, the one that is read.
  const input = file.endsWith('.gz') ? pipeline(raw, createGunzip(), () => {}) : raw
  return {
    batches: split(input.setEncoding('utf8')),
    get bytesRead() {
      return raw.bytesRead
    },
    bytes: size,
  }
}

async function* split(chunks: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LINE_MAX) throw new Error(`a line is longer than ${LINE_MAX} characters`)
    yield lines
  }
  if (rest !== '') yield [rest]
}
