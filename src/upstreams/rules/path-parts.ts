// What may stand in the address of a request. Each function returns the text as it goes into the address, or throws.

export const SLUG = /^[A-Za-z0-9][A-Za-z0-9_-]{0,254}$/
export const CONDITION_ID = /^0x[0-9a-fA-F]{64}$/
export const WALLET = /^0x[0-9a-fA-F]{40}$/
const TXID = /^[0-9a-f]{64}$/
/** An address, or the 32 bytes of a pool of Uniswap v4. */
const POOL_ID = /^0x(?:[0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/
const TOKEN_ID = /^(?:0|[1-9]\d{0,77})$/
/** Base64 in both alphabets, as the cursors of the CLOB and of the account data are. */
export const CURSOR = /^[A-Za-z0-9_+/=-]{1,2048}$/
/** The name of a folder in a repository; not one that begins with a dot. */
export const FOLDER = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/
const MAX_SEARCH_CHARS = 200
const UINT256_END = 1n << 256n

/** A text that must not become part of an address. */
export class PathPartError extends Error {
  constructor(what: string) {
    super(`not ${what}, so it was not sent to the provider`)
    this.name = 'PathPartError'
  }
}

export const slugPart = (slug: string): string => matching(slug, SLUG, 'a slug of letters, digits, - and _')

/** The slug of a tag. */
export const tagPart = (tag: string): string => matching(tag, SLUG, 'a tag of letters, digits, - and _')

export const conditionIdPart = (id: string): string =>
  matching(id, CONDITION_ID, 'a condition id: 0x and 64 hexadecimal digits').toLowerCase()

export const walletPart = (address: string): string =>
  matching(address, WALLET, 'a wallet address: 0x and 40 hexadecimal digits').toLowerCase()

/** A transaction or block of Bitcoin. */
export const txidPart = (id: string): string => matching(id, TXID, 'a hash: 64 hexadecimal digits')
/** The address of a token contract. */
export const contractPart = (address: string): string =>
  matching(address, WALLET, 'an address: 0x and 40 hexadecimal digits').toLowerCase()

/** Several of them as one part, each once. */
export function contractParts(addresses: readonly string[], max: number): string {
  const parts = [...new Set(addresses.map(contractPart))]
  if (parts.length === 0 || parts.length > max) throw new PathPartError(`a list of 1 to ${max} addresses`)
  return parts.join(',')
}

export const poolIdPart = (id: string): string =>
  matching(id, POOL_ID, 'a pool: 0x and 40 or 64 hexadecimal digits').toLowerCase()

export const cursorPart = (cursor: string): string => matching(cursor, CURSOR, 'a cursor in base64')

export const folderPart = (name: string): string =>
  matching(name, FOLDER, 'a folder of letters, digits, dots, - and _')

export function tokenIdPart(id: string): string {
  if (!isTokenId(id)) throw new PathPartError('a token id: a decimal number below 2^256')
  return id
}

/** What people search for; everything but control characters, and not too long. */
export function searchPart(text: string): string {
  const plain = text.replace(/\p{Cc}+/gu, ' ').trim()
  if (plain === '' || plain.length > MAX_SEARCH_CHARS || !plain.isWellFormed())
    throw new PathPartError(`a text to search for: 1 to ${MAX_SEARCH_CHARS} characters`)
  return plain
}

/** A decimal uint256 without leading zeros. */
export const isTokenId = (id: unknown): id is string =>
  typeof id === 'string' && TOKEN_ID.test(id) && BigInt(id) < UINT256_END

function matching(text: unknown, pattern: RegExp, what: string): string {
  if (typeof text !== 'string' || !pattern.test(text)) throw new PathPartError(what)
  return text
}
