import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream'
import { ServiceError } from '../../core/service-error.ts'
import { findJsonFault } from './json-fault.ts'
import { MAX_PIECES } from './limit-pieces.ts'

export const BODY_LIMIT_BYTES = 65_536
/** Deeper than any body of ours: what handles it may work by recursion. */
const DEPTH_LIMIT = 32
/** More than most bodies have. */
const FIRST_BYTES = 2_048

/** The JSON body of a request, refused before it is read when it says it is too large or something else. */
export async function readJsonBody(
  request: IncomingMessage,
  limitBytes = BODY_LIMIT_BYTES,
): Promise<unknown> {
  return parseJson(await readJsonText(request, limitBytes))
}

/** The same, not parsed yet: whoever speaks a protocol of its own says in its own words what is wrong with a message. */
export async function readJsonText(request: IncomingMessage, limitBytes: number): Promise<string> {
  checkMediaType(request.headers)
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
  return toText(await readBytes(request, limitBytes))
}

const JSON_MEDIA = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i
const CHARSETS = new Set(['utf-8', 'utf8', 'us-ascii'])

function checkMediaType(headers: IncomingMessage['headers']): void {
  const type = headers['content-type']
  if (type === undefined) throw notJson('the request names no content type')
  if (!JSON_MEDIA.test(type)) throw notJson(`the content type is ${shown(type)}`)
  const charset = CHARSET.exec(type)?.[1] ?? 'utf-8'
  if (!CHARSETS.has(charset.toLowerCase())) throw notJson(`the charset is ${shown(charset)}`)
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') throw notJson(`the content encoding is ${shown(encoding)}`)
}

/**
 * All of it; rejects once it is more than `limitBytes`. A body may come in as many pieces as it has bytes, each of which
 * costs far more than its bytes: so each is copied to its place when it comes, and none is kept or waited for.
 */
export function readBytes(
  request: IncomingMessage,
  limitBytes: number,
  maxPieces = MAX_PIECES,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let body: Buffer = Buffer.allocUnsafe(Math.min(FIRST_BYTES, limitBytes))
    let bytes = 0
    let pieces = 0
    let isRefused = false
    const refuse = (error: ServiceError) => {
      isRefused = true
      reject(error)
    }
    // It stays when the body was refused: pieces that nobody listens to are kept.
    request.on('data', (piece: Buffer) => {
      if (isRefused) return
      const needed = bytes + piece.length
      if (needed > limitBytes) return refuse(tooLarge(limitBytes))
      if (++pieces > maxPieces) return refuse(tooManyPieces())
      if (needed > body.length) body = enlarged(body, Math.min(Math.max(needed, 2 * body.length), limitBytes))
      piece.copy(body, bytes)
      bytes = needed
    })
    finished(request, (error) => {
      // The client has gone, or took too long: nobody's fault here.
      if (error) reject(new ServiceError('bad_request', 'the body ended early'))
      else resolve(body.subarray(0, bytes))
    })
  })
}

function enlarged(body: Buffer, bytes: number): Buffer {
  const larger = Buffer.allocUnsafe(bytes)
  body.copy(larger)
  return larger
}

/** Throws with the place of what is wrong, and refuses what nests too deep. */
export function parseJson(text: string): unknown {
  if (text.trim() === '') throw invalid('the body is empty')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const { at, problem } = findJsonFault(text) ?? { at: 0, problem: 'it cannot be read' }
    throw invalid(`the body is no JSON ${placeOf(text, at)}: ${problem}`)
  }
  if (isDeeper(value, DEPTH_LIMIT)) throw invalid(`the body nests deeper than ${DEPTH_LIMIT} levels`)
  return value
}

/** A byte order mark is skipped. */
function toText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // What cannot be read shows as a replacement character, which may also have been sent.
    const before = bytes.toString('utf8').split('\ufffd', 1)[0] ?? ''
    throw invalid(`the body is not UTF-8, from byte ${Buffer.byteLength(before)} on at the earliest`)
  }
}

/** As editors count: from 1. */
function placeOf(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n')
  return `at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1))
}

const SHOWN_CHARS = 100
const shown = (text: string) => JSON.stringify(text.slice(0, SHOWN_CHARS))
const notJson = (message: string) => new ServiceError('not_json', message)
const invalid = (message: string) => new ServiceError('invalid_json', message)
const tooManyPieces = () =>
  new ServiceError('body_too_large', `a body may come in at most ${MAX_PIECES} pieces: send larger ones`)
const tooLarge = (limitBytes: number) =>
  new ServiceError('body_too_large', `a body may have at most ${limitBytes} bytes`)
