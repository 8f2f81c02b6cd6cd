import { inspect } from 'node:util'

/** A value that never prints: not in logs, errors, JSON or template strings. */
export type Secret = { reveal(): string }

const SHOWN = '[secret]'

export function secret(value: string): Secret {
  const holder: Secret = { reveal: () => value }
  const hidden = { enumerable: false, value: () => SHOWN }
  return Object.defineProperties(holder, {
    reveal: { enumerable: false },
    toString: hidden,
    toJSON: hidden,
    [inspect.custom]: hidden,
  })
}

export const isSecret = (value: unknown): value is Secret =>
  typeof value === 'object' && value !== null && 'reveal' in value
