import type { ServerResponse } from 'node:http'
import type { Reply } from '../reply.ts'

/** What waits in this process for one connection: the next piece is made when the system has taken the one before. */
export const PIECE_BYTES = 65_536

/**
 * After the head; returns whether the system took all of it at once. A body that is shared by many replies stays shared:
 * only a piece of it is copied at a time.
 */
export function sendBody(response: ServerResponse, { body, bytes }: Pick<Reply, 'body' | 'bytes'>): boolean {
  // Text of one byte a character needs no encoding: head and body leave as they are, in one piece.
  const isPlain = bytes === body.length
  if (bytes <= PIECE_BYTES) {
    response.end(body, isPlain ? 'latin1' : 'utf8')
    return response.writableLength === 0
  }
  sendPieces(response, isPlain ? body : Buffer.from(body).toString('latin1'), 0)
  return false
}

function sendPieces(response: ServerResponse, text: string, from: number): void {
  const to = from + PIECE_BYTES
  const piece = text.slice(from, to)
  if (to >= text.length) return void response.end(piece, 'latin1')
  response.once('drain', () => sendPieces(response, text, to))
  // As much as makes a stream full, so that a drain follows.
  response.write(piece, 'latin1')
}
