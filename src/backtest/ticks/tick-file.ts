import { openLines } from '../text-lines.ts'
import { createTickParser, FORMATS, type Format, findFormat, type Tick, type TickParser } from './tick.ts'

/** A recorded file, read as it is needed. */
export type TickFile = {
  file: string
  format: Format
  /** Batches are never empty. */
  batches: AsyncGenerator<readonly Tick[]>
  readonly bytesRead: number
  bytes: number
}

/** Reads the header. The first bad row throws, with file and line, when it is reached. */
export async function openTickFile(file: string, wanted: readonly Format[]): Promise<TickFile> {
  const lines = openLines(file)
  const texts = withNumbers(lines.batches)
  const first = await texts.next()
  const head = first.done ? undefined : first.value
  const header = head?.texts[0]
  const format = header === undefined ? undefined : findFormat(header, wanted)
  if (!head || header === undefined || format === undefined) {
    const known = wanted.map((each) => `ts_exch,ts_local,${FORMATS[each].join(',')}`)
    throw new Error(`${file}, line 1: the header must be ${known.join(' or ')}`)
  }
  const parser = createTickParser(header, format)
  return {
    file,
    format,
    batches: parse(file, parser, { texts: head.texts.slice(1), firstLine: 2 }, texts),
    get bytesRead() {
      return lines.bytesRead
    },
    bytes: lines.bytes,
  }
}

type Batch = { texts: readonly string[]; firstLine: number }

async function* withNumbers(batches: AsyncIterable<readonly string[]>): AsyncGenerator<Batch> {
  let firstLine = 1
  for await (const texts of batches) {
    yield { texts, firstLine }
    firstLine += texts.length
  }
}

/** Rows before a bad one are passed on first: merging may find an earlier error in them. */
async function* parse(
  file: string,
  parser: TickParser,
  first: Batch,
  rest: AsyncIterable<Batch>,
): AsyncGenerator<readonly Tick[]> {
  const ticksOf = function* ({ texts, firstLine }: Batch): Generator<readonly Tick[]> {
    const ticks: Tick[] = []
    let fault: string | undefined
    for (const [at, text] of texts.entries()) {
      if (text.trim() === '') continue
      const tick = parser(text, firstLine + at)
      if (typeof tick === 'string') {
        fault = `${file}, line ${firstLine + at}: ${tick}`
        break
      }
      ticks.push(tick)
    }
    if (ticks.length > 0) yield ticks
    if (fault !== undefined) throw new Error(fault)
  }
  yield* ticksOf(first)
  for await (const batch of rest) yield* ticksOf(batch)
}
