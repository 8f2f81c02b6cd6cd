import { describe, expect, it } from 'vitest'
import {
  conditionIdPart,
  contractPart,
  contractParts,
  cursorPart,
  folderPart,
  PathPartError,
  poolIdPart,
  searchPart,
  slugPart,
  tagPart,
  tokenIdPart,
  txidPart,
  walletPart,
} from './path-parts.ts'

const PARTS = {
  slugPart,
  tagPart,
  conditionIdPart,
  walletPart,
  cursorPart,
  tokenIdPart,
  txidPart,
  folderPart,
  contractPart,
  poolIdPart,
}
const HOSTILE = [
  '',
  '.',
  '..',
  '../x',
  'a/b',
  'a?b',
  'a#b',
  'a%2fb',
  'a b',
  'a\n',
  'ä',
  'a\u0000',
  '@host',
  '\\',
]

describe('what enters an address', () => {
  it.each(Object.entries(PARTS))('%s refuses what could change the address', (_, part) => {
    // A cursor is sent as a parameter, where a slash is encoded.
    for (const text of HOSTILE)
      if (!(part === cursorPart && text === 'a/b')) expect(() => part(text), text).toThrow(PathPartError)
    expect(() => part('x'.repeat(3_000))).toThrow(PathPartError)
    for (const value of [undefined, null, 5, {}, ['a']])
      expect(() => part(value as string)).toThrow(PathPartError)
  })

  it('lets through what the venue uses', () => {
    expect(slugPart('btc-updown-5m-1790617500')).toBe('btc-updown-5m-1790617500')
    expect(folderPart('_a.b-1')).toBe('_a.b-1')
    expect(tagPart('5M')).toBe('5M')
    expect(conditionIdPart(`0x${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`)
    expect(walletPart(`0x${'Ab'.repeat(20)}`)).toBe(`0x${'ab'.repeat(20)}`)
    expect(cursorPart('MTAw==')).toBe('MTAw==')
  })

  it('knows pools by an address or by 32 bytes', () => {
    for (const bytes of [20, 32])
      expect(poolIdPart(`0x${'Ab'.repeat(bytes)}`)).toBe(`0x${'ab'.repeat(bytes)}`)
    for (const bytes of [19, 21, 31, 33])
      expect(() => poolIdPart(`0x${'ab'.repeat(bytes)}`)).toThrow('not a pool')
  })

  it('joins contracts, each once and not too many', () => {
    const [one, two] = [`0x${'Ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`]
    expect(contractParts([one, two, one.toLowerCase()], 2)).toBe(`${one.toLowerCase()},${two}`)
    for (const list of [[], [one, two], [one, '../x']])
      expect(() => contractParts(list, 1)).toThrow(PathPartError)
  })

  it('knows the bounds of a token id', () => {
    const greatest = 2n ** 256n - 1n
    expect(tokenIdPart(String(greatest))).toBe(String(greatest))
    expect(tokenIdPart('0')).toBe('0')
    for (const id of [String(greatest + 1n), '007', '-1', '1.0', '1e5', '0x10'])
      expect(() => tokenIdPart(id), id).toThrow('not a token id')
  })

  it('searches for plain text', () => {
    expect(searchPart('  who wins?\u0000& why  ')).toBe('who wins? & why')
    for (const text of ['', ' \n', 'x'.repeat(201), '\ud800'])
      expect(() => searchPart(text)).toThrow(PathPartError)
  })
})
