import { expect, test } from 'vitest'
import { countText } from './count-text.ts'

test('one is one', () => {
  expect([countText(1, 'day'), countText(1_200, 'day'), countText(2, 'entry', 'entries')]).toEqual([
    '1 day',
    '1,200 days',
    '2 entries',
  ])
})
