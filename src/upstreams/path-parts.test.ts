import { describe, expect, it } from 'vitest'
import {
  conditionIdPart,
  cursorPart,
  PathPartError,
  searchPart,
  slugPart,
  tagPart,
  tokenIdPart,
  walletPart,
} from './path-parts.ts'

const PARTS = { slugPart, tagPart, conditionIdPart, walletPart, cursorPart, tokenIdPart }
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
    expect(tagPart('5M')).toBe('5M')
    expect(conditionIdPart(`0x${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`)
    expect(walletPart(`0x${'Ab'.repeat(20)}`)).toBe(`0x${'ab'.repeat(20)}`)
    expect(cursorPart('MTAw==')).toBe('MTAw==')
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
