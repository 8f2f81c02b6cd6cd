import type { Coin } from '../core/coin.ts'

/** A message that broke its format, with the stream and the coin where they could still be read. */
export type Malformed = { kind: 'malformed'; stream: 'trades' | 'book' | undefined; coin: Coin | undefined }

export function malformed(stream?: 'trades' | 'book', coin?: Coin): Malformed {
  return { kind: 'malformed', stream, coin }
}
