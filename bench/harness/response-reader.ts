/** Reads one response after the other from a connection that has one request in flight. */
export type ResponseReader = {
  /** The first `length` bytes of `chunk` are new. Returns the status once the response is complete. */
  read(chunk: Buffer, length: number): number | undefined
  /** Whether the head of the last response had one of the names asked for. */
  hadName(): boolean
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')
/** Frameworks spell it in these two ways; each server keeps to one. */
const LENGTH_NAMES = ['\r\nContent-Length: ', '\r\ncontent-length: '].map((name) => Buffer.from(name))
const HEAD_LIMIT_BYTES = 65_536
const STATUS_AT = 'HTTP/1.1 '.length
const [ZERO, NINE] = [48, 57]

/**
 * Just enough HTTP to know where a response ends, because every microsecond here is one the generator cannot load.
 * What it does not understand (chunked bodies, bytes after the end) throws: a wrong figure is worse than none.
 */
export function createResponseReader(names: readonly string[] = []): ResponseReader {
  const wanted = names.map((name) => Buffer.from(`\r\n${name}: `))
  let hadName = false
  let lengthName = 0
  let held: Buffer | undefined
  let status = 0
  let missing = 0

  const begin = (chunk: Buffer, length: number): number | undefined => {
    const headEnd = chunk.indexOf(END_OF_HEAD) + END_OF_HEAD.length
    // The buffer is used again and again: what stands behind `length` is left from earlier responses.
    if (headEnd < END_OF_HEAD.length || headEnd > length) {
      if (length > HEAD_LIMIT_BYTES) throw new Error('a response head has no end')
      held = Buffer.from(chunk.subarray(0, length))
      return undefined
    }
    held = undefined
    hadName = wanted.some((name) => {
      const at = chunk.indexOf(name)
      return at >= 0 && at < headEnd
    })
    status = digitsAt(chunk, STATUS_AT)
    missing = headEnd + bodyBytes(chunk, headEnd) - length
    return finish()
  }
  const bodyBytes = (chunk: Buffer, headEnd: number): number => {
    for (const turn of [lengthName, 1 - lengthName]) {
      const name = LENGTH_NAMES[turn] as Buffer
      const at = chunk.indexOf(name)
      if (at < 0 || at >= headEnd) continue
      lengthName = turn
      return status === 304 ? 0 : digitsAt(chunk, at + name.length)
    }
    if (status === 204 || status === 304) return 0
    throw new Error(`a ${status} response came without Content-Length`)
  }
  const finish = (): number | undefined => {
    if (missing < 0) throw new Error('bytes came after the end of a response')
    return missing === 0 ? status : undefined
  }
  return {
    hadName: () => hadName,
    read(chunk, length) {
      if (missing > 0) {
        missing -= length
        return finish()
      }
      if (!held) return begin(chunk, length)
      const joined = Buffer.concat([held, chunk.subarray(0, length)])
      return begin(joined, joined.length)
    },
  }
}

function digitsAt(bytes: Buffer, start: number): number {
  let value = 0
  for (let i = start; ; i++) {
    const code = bytes[i] ?? 0
    if (code < ZERO || code > NINE) return value
    value = value * 10 + (code - ZERO)
  }
}
