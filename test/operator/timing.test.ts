import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { newOperatorKey } from '../../src/access/new-operator-key.ts'
import { findKey, KEY_SCOPES, type WorkingKey } from '../../src/access/operator-keys.ts'

const TRIES = 10_000
/** Beyond it chance is out of the question: one in 150,000. */
const T_LIMIT = 4.5
/** What the machine did beside: the slowest tenth of all tries is left out, of both kinds alike. */
const KEPT_SHARE = 0.9

const made = Array.from({ length: 8 }, () => newOperatorKey({ label: 'x', scopes: KEY_SCOPES, nowMs: 0 }))
const real = made[4]?.key.reveal() ?? ''
const keys: WorkingKey[] = made.map(({ row }) => ({ ...row, digest: Buffer.from(row.digest, 'hex') }))

/** Wrong keys of the right length that share nothing with the real one, and all but the last character. */
const far = () =>
  `x${randomBytes(36)
    .toString('base64url')
    .slice(0, real.length - 1)}`
const near = () => `${real.slice(0, -1)}${real.endsWith('A') ? 'B' : 'A'}`

/** Welch's t between the times of the two kinds, tried in random order. */
function measure(check: (given: string) => unknown): number {
  const kinds = Array.from(randomBytes(TRIES), (byte) => byte % 2)
  // Cut from one piece in the order of the tries: a kind that was made in more steps would lie farther apart
  // in memory, and be slower to read for that alone.
  const piece = Buffer.from(kinds.map((kind) => (kind === 0 ? far() : near())).join(''), 'latin1')
  expect(piece.length).toBe(TRIES * real.length)
  const tries = kinds.map((kind, at) => ({
    kind,
    given: piece.toString('latin1', at * real.length, (at + 1) * real.length),
  }))
  for (const { given } of tries) check(given) // Warm: what is compiled on the way would be of one kind only.
  const times = tries.map(({ kind, given }) => {
    const before = process.hrtime.bigint()
    check(given)
    return { kind, ns: Number(process.hrtime.bigint() - before) }
  })
  const limit = times.map(({ ns }) => ns).sort((a, b) => a - b)[Math.floor(TRIES * KEPT_SHARE)] ?? 0
  const [a, b] = [0, 1].map((kind) =>
    times.filter((each) => each.kind === kind && each.ns <= limit).map(({ ns }) => ns),
  )
  return welch(a ?? [], b ?? [])
}

function welch(a: readonly number[], b: readonly number[]): number {
  const of = (xs: readonly number[]) => {
    const mean = xs.reduce((sum, x) => sum + x, 0) / xs.length
    return { mean, error: xs.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (xs.length - 1) / xs.length }
  }
  const [x, y] = [of(a), of(b)]
  return (x.mean - y.mean) / Math.sqrt(x.error + y.error)
}

/** What a hurried author writes: ends at the first character that differs. */
function isEqualNaively(given: string, expected: string): boolean {
  for (let at = 0; at < expected.length; at++)
    if (given.charCodeAt(at) !== expected.charCodeAt(at)) return false
  return given.length === expected.length
}

/** The middle one of some measurements: a machine that does something else for a moment spoils one of them. */
const medianT = (check: (given: string) => unknown) =>
  Array.from({ length: 5 }, () => Math.abs(measure(check))).sort((a, b) => a - b)[2] ?? Number.NaN

test('10,000 tries do not tell a key that is nearly right from one that is all wrong', () => {
  expect(findKey(keys, real)).toBe(keys[4])
  expect(medianT((given) => findKey(keys, given))).toBeLessThan(T_LIMIT)
})

test('the same measurement catches a comparison that ends at the first difference', () => {
  const texts = made.map(({ key }) => key.reveal())
  expect(medianT((given) => texts.find((text) => isEqualNaively(given, text)))).toBeGreaterThan(T_LIMIT)
})
