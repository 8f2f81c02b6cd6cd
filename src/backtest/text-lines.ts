import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs'
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
const GZIP_MAGIC = 0x1f8b

export function openLines(file: string): TextLines {
  const stats = statSync(file)
  if (stats.isDirectory()) throw new Error(`${file} is a folder: name a file`)
  const raw = createReadStream(file)
  // Errors of the file surface in the last stream, the one that is read.
  const isPacked = stats.isFile() ? startsAsGzip(file) : file.endsWith('.gz')
  const input = isPacked ? pipeline(raw, createGunzip(), () => {}) : raw
  return {
    batches: split(file, input.setEncoding('utf8')),
    get bytesRead() {
      return raw.bytesRead
    },
    bytes: stats.size,
  }
}

/** By its content: a download may lose or keep its ending. What is no file, a pipe, cannot be read twice. */
function startsAsGzip(file: string): boolean {
  const handle = openSync(file, 'r')
  try {
    const start = Buffer.alloc(2)
    return readSync(handle, start) === 2 && start.readUInt16BE() === GZIP_MAGIC
  } finally {
    closeSync(handle)
  }
}

async function* split(file: string, chunks: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let rest = ''
  let lineNumber = 1
  const tooLong = () => new Error(`${file}, line ${lineNumber}: is longer than ${LINE_MAX} characters`)
  try {
    for await (const chunk of chunks) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > LINE_MAX) throw tooLong()
      yield lines
      lineNumber += lines.length
    }
  } catch (error) {
    throw explainPacking(error, `${file}, line ${lineNumber}`)
  }
  if (rest !== '') yield [rest]
}

/** zlib speaks of headers and buffers and names no file. */
function explainPacking(cause: unknown, where: string): unknown {
  const { code = '', message } = cause as NodeJS.ErrnoException
  if (!code.startsWith('Z_')) return cause
  const reason = code === 'Z_BUF_ERROR' ? 'ends in the middle' : `is damaged (${message})`
  return new Error(`${where}: the gzip file ${reason}: get it again`, { cause })
}
