import { expect, test } from 'vitest'
import { blocksFor, findConfirmations } from './confirmations.ts'
import { usd } from './money.ts'

test.each([
  ['1', '1000', 1],
  ['3', '0.001', 3],
  ['1,3@0.50,10@5', '0.499999', 1],
  ['1,3@0.50,10@5', '0.5', 3],
  ['1, 3@0.50, 10@5', '4.99', 3],
  ['10@5,3@0.50', '5', 10],
  ['10@5,3@0.50', '0.1', 1],
  ['5,2@1', '1', 5],
])('%s asks a payment of %s for %i blocks', (text, price, blocks) => {
  expect(blocksFor(findConfirmations(text) ?? [], usd(price))).toBe(blocks)
})

test.each(['', '0', '-1', '1.5', '1@', '@1', '1@-1', '1;2', '1000', '1,', '1@1e3', '1@0.0000001', 'two'])(
  '%j is no rule',
  (text) => {
    expect(findConfirmations(text)).toBeUndefined()
  },
)
