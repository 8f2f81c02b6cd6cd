import { describe, expect, test } from 'vitest'
import { isOwnName } from './own-names.ts'
import { findTypedFault, TypedLine } from './typed-text.ts'

const line = TypedLine(10)

describe('a line', () => {
  test.each([
    ['one letter', 'a'],
    ['ten letters', 'abcdefghij'],
    ['ten emoji', '🐟'.repeat(10)],
    ['ten letters after normalization', 'e\u0301'.repeat(10)],
    ['markup', '<b>&amp;'],
    ['a family', '👨‍👩‍👧'],
    ['a skin tone', '👩🏽‍🚀'],
    ['a flag', '🏳️‍🌈'],
    ['Persian with its joiner', 'می‌خواهم'],
    ['Hindi with its joiner', 'क्‍ष'],
    ['Hebrew', 'שלום'],
    ['Vietnamese', 'tiếng Việt'],
    ['blanks around', '  a  '],
  ])('of %s is taken', (_, text) => {
    expect(line.safeParse(text)).toEqual({ success: true, data: text.normalize('NFC') })
  })

  test.each([
    ['nothing', '', 'too_small'],
    ['eleven letters', 'abcdefghijk', 'too_big'],
    ['eleven emoji', '🐟'.repeat(11), 'too_big'],
    ['a number', 7, 'invalid_type'],
    ['null', null, 'invalid_type'],
    ['a list', ['a'], 'invalid_type'],
  ])('of %s is refused by its bounds', (_, text, code) => {
    expect(line.safeParse(text).error?.issues.map((issue) => issue.code)).toEqual([code])
  })

  test.each([
    ...['\0', '\x07', '\t', '\n', '\r', '\x1b[31m', '\x7f', '\x85', '\x9b', '\u2028', '\u2029'].map(
      (sign) => [sign, 'control characters'],
    ),
    ...['\u202e', '\u202a', '\u2066', '\u2069', '\u200e', '\u200f', '\u061c'].map((sign) => [
      sign,
      'turn the direction',
    ]),
    ...['\u200b', '\u2060', '\ufeff', '\u00ad', '\u180e', '\u3164', '\u2800', '\u115f', '\u034f'].map(
      (sign) => [sign, 'invisible'],
    ),
    ...['\ue000', '\u{e0041}', '\u{e0100}', '\ufffe', '\ud800', '\udc00', '\u200d', '\u200c'].map((sign) => [
      ` ${sign}`,
      'invisible',
    ]),
    ['\u200d\u200d', 'invisible'],
    [' \u00a0\u3000 ', 'blank'],
    ['\u0301', 'blank'],
    [`e${'\u0301'.repeat(6)}`, 'marks'],
  ])('with %j is refused', (sign = '', fault) => {
    const text = fault === 'blank' ? sign : `a${sign}b`
    expect(findTypedFault(text)).toContain(fault)
    expect(findTypedFault('ab')).toBeUndefined()
  })
})

test.each([
  'Tollbook',
  'tollbook support',
  'T o l l b o o k',
  'ТОLLВООК',
  'T0llb00k',
  'Ｔｏｌｌｂｏｏｋ',
  'the operator',
  'Admin',
  'аdmin',
  'Official bot',
  'Support-Team',
  'Admin1',
  'AdminTeam',
  'adminteam',
  'TheAdmin',
  'Support24',
  'Supp0rt24',
  'SupportTeam',
  'supportdesk',
  '0perator',
  'Operat0r',
  'OfficiaI',
  'TolIbook',
  'To11book',
  'T0||b00k',
  'ТоӀӀbook',
  'ＴоⅼⅼЬоοk',
  'ΤοΙΙbook',
  'A d m i n',
])('%s is a name of the service', (name) => {
  expect(isOwnName(name)).toBe(true)
})
test.each([
  'Ann',
  'Toll',
  'bookworm',
  'Badminton fan',
  'Modest Mouse',
  'Stafford',
  'Staffan',
  'Liverpool supporter',
  'unofficial Joe',
  'cooperator',
  'Wilma',
  'iLil1',
  'bot',
  'Зоя',
  '日本',
])('%s is a name like any other', (name) => {
  expect(isOwnName(name)).toBe(false)
})
