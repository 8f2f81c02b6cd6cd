import { type FileHandle, open } from 'node:fs/promises'
import { HEADER } from './sample-line.ts'

/** Ends what a killed process or a full disk left in the middle of a line, so that it reads as no line. */
const TORN = '~\n'
const LINE_END = '\n'.charCodeAt(0)

/**
 * Adds whole lines to a file and never changes what is in it. Not flushed to the disk: a power cut may cost minutes,
 * and a minute is not worth waiting for the disk.
 */
export async function appendLines(path: string, lines: readonly string[]): Promise<void> {
  await using file = await open(path, 'a+', 0o600)
  const text = [...(await startOf(file)), ...lines.map((line) => `${line}\n`)].join('')
  await file.appendFile(text, 'latin1')
}

async function startOf(file: FileHandle): Promise<string[]> {
  const { size } = await file.stat()
  if (size === 0) return [`${HEADER}\n`]
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] === LINE_END ? [] : [TORN]
}
