import { expect, it } from 'vitest'
import { z } from 'zod'
import { maybeNumber } from './number.ts'
import { orUnknown, shownWords } from './unknown.ts'

const Row = z.object({ n: orUnknown(maybeNumber({ min: 0, max: 1 })), text: shownWords(5) })

it.each([
  [
    { n: '0.5', text: 'words' },
    { n: 0.5, text: 'words' },
  ],
  [
    { n: 0, text: '' },
    { n: 0, text: '' },
  ],
  [{}, { n: undefined, text: '' }],
  [
    { n: null, text: null },
    { n: undefined, text: '' },
  ],
  [
    { n: 1.2, text: 7 },
    { n: undefined, text: '' },
  ],
  [
    { n: 'abc', text: ['a'] },
    { n: undefined, text: '' },
  ],
  [
    { n: { valueOf: 1 }, text: { length: 1 } },
    { n: undefined, text: '' },
  ],
  [
    { n: [0], text: 'too many words' },
    { n: undefined, text: 'too m' },
  ],
])('reads %j, refusing nothing', (wire, row) => {
  expect(Row.parse(wire)).toEqual(row)
})
