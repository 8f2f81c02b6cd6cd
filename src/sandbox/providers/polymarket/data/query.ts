import { isAddress } from 'viem'
import { DataError } from './data-error.ts'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1_000
const MAX_CONDITIONS = 50

const invalid = (name: string, reason: string) =>
  new DataError(400, 'invalid_request', `Failed to deserialize query string: ${name}: ${reason}`)

export function readUser(query: URLSearchParams): string | undefined {
  const user = query.get('user')
  if (user === null) return undefined
  if (!isAddress(user, { strict: false })) throw invalid('user', 'expected a 0x-prefixed address')
  return user
}

export function requireUser(query: URLSearchParams): string {
  const user = readUser(query)
  if (user === undefined) throw invalid('user', 'missing field')
  return user
}

export function readLimit(query: URLSearchParams): number {
  const limit = readWhole(query, 'limit') ?? DEFAULT_LIMIT
  if (limit > MAX_LIMIT) throw invalid('limit', `limit must be between 0 and ${MAX_LIMIT}`)
  return limit
}

export function readWhole(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (!/^\d{1,12}$/.test(text)) throw invalid(name, 'invalid digit found in string')
  return Number(text)
}

export function readFlag(query: URLSearchParams, name: string, fallback: boolean): boolean {
  const text = query.get(name)
  if (text === null) return fallback
  if (text !== 'true' && text !== 'false') throw invalid(name, 'provided string was not `true` or `false`')
  return text === 'true'
}

/** A list that is repeated or separated by commas. */
export function readList(query: URLSearchParams, name: string): readonly string[] {
  const items = query
    .getAll(name)
    .flatMap((text) => text.split(','))
    .filter((text) => text !== '')
  if (items.length > MAX_CONDITIONS) throw invalid(name, `at most ${MAX_CONDITIONS} values`)
  return items
}

export function readChoice<Choice extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const choice = choices.find((known) => known === text.toUpperCase())
  if (!choice) throw invalid(name, `unknown variant \`${text.slice(0, 40)}\``)
  return choice
}
