import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** A PEM key of 4096 bits has about 3 KiB. */
const MAX_SECRET_BYTES = 16_384
const OPEN_TO_ALL = 0o004
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a text does not have.
const NOT_TEXT = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/

/** The content of a file that holds one secret, or what is wrong with it. Neither its path nor its content is in a fault: the path may be the secret itself, set under the wrong name. */
export type SecretFile = { text: string; isOpenToAll: boolean } | { fault: string }

/** Line ends at the end of the file are no part of the secret: editors and `echo` add them. */
export function readSecretFile(path: string): SecretFile {
  let file: number | undefined
  try {
    // A named pipe would otherwise hold up the start until somebody writes to it.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const stats = fstatSync(file)
    if (stats.isDirectory()) return { fault: 'names a directory: name a file' }
    if (!stats.isFile()) return { fault: 'names a pipe or a device: name a file' }
    const isOpenToAll = process.platform !== 'win32' && (stats.mode & OPEN_TO_ALL) !== 0
    return toSecret(readBytes(file), isOpenToAll)
  } catch (error) {
    return {
      fault: `its file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'no reason given'})`,
    }
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** One more than allowed tells that there are too many. */
function readBytes(file: number): Buffer {
  const buffer = Buffer.alloc(MAX_SECRET_BYTES + 1)
  let length = 0
  while (length < buffer.length) {
    const read = readSync(file, buffer, length, buffer.length - length, null)
    if (read === 0) break
    length += read
  }
  return buffer.subarray(0, length)
}

function toSecret(bytes: Buffer, isOpenToAll: boolean): SecretFile {
  if (bytes.length > MAX_SECRET_BYTES)
    return {
      fault: `its file is longer than ${MAX_SECRET_BYTES} bytes: it must hold the value and nothing else`,
    }
  const text = toText(bytes)?.replace(/[\r\n]+$/, '')
  if (text === undefined) return { fault: 'its file is not text: it must hold the value as UTF-8' }
  if (text === '') return { fault: 'its file is empty' }
  return { text, isOpenToAll }
}

function toText(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return NOT_TEXT.test(text) ? undefined : text
  } catch {
    return undefined
  }
}
