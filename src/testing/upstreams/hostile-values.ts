import type { Seeded } from '../seeded.ts'

const LONG_CHARS = 20_000
const DEEP = 500

/** Numbers that JSON can write but a double cannot hold, or only just. */
export const RAW_NUMBERS = [
  '1e400',
  '-1e400',
  '1e-400',
  '1e308',
  '-0',
  '9007199254740993',
  '1180591620717411303424',
] as const

/** Stands in a value for one of those numbers until it is text. */
const rawMark = (number: string) => `#raw ${number}#`

export const unquoteRaw = (text: string): string => text.replace(/"#raw ([-0-9e]+)#"/g, '$1')

const VALUES: readonly [() => unknown, ...(() => unknown)[]] = [
  ...([
    null,
    true,
    false,
    0,
    1,
    -1,
    0.5,
    1e21,
    5e-324,
    -0.0001,
    2 ** 53,
    '',
    ' ',
    '0',
    '-0',
    '1',
    '-1',
    'NaN',
    'nan',
    'Infinity',
    '-Infinity',
    'null',
    'undefined',
    'true',
    '0x10',
    '1e400',
    '1e-400',
    '.5',
    '0.5',
    '٣',
    '1,5',
    '__proto__',
    '[object Object]',
    '\ud800',
    '\u0000',
    '../../etc/passwd',
    '2026-02-30T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '0001-01-01T00:00:00Z',
    '2026-09-28',
    '1790617500',
    '["Up"]',
    '[[[[]]]]',
  ].map((value) => () => value) as [() => unknown]),
  () => String(2n ** 70n),
  () => String(2n ** 256n),
  () => `-${2n ** 70n}`,
  () => '9'.repeat(LONG_CHARS),
  () => 'x'.repeat(LONG_CHARS),
  () => [],
  () => ({}),
  () => [null],
  () => [[]],
  () => ({ 0: 1, length: 1 }),
  () => ({ length: { toString: 1, valueOf: 2 }, size: {} }),
  () => ({ toString: 1, valueOf: 2 }),
  () => nested(DEEP, (inner) => [inner]),
  () => nested(DEEP, (inner) => ({ a: inner })),
]

export function hostileValue(random: Seeded): unknown {
  return random.chance(0.15) ? rawMark(random.pick(RAW_NUMBERS)) : random.pick(VALUES)()
}

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1
  for (let i = 0; i < depth; i++) value = wrap(value)
  return value
}
