import { expect, test } from 'vitest'
import { differences } from './same-shape.ts'

const example = { at: 1, coin: { name: 'BTC' }, trades: [{ id: 1, note: 'why' }], head: null }

test('other values are no difference, and neither is what is null, empty or only explains', () => {
  expect(
    differences(example, { at: 2, coin: { name: 'ETH' }, trades: [{ id: 7 }], head: { size: 1 } }),
  ).toEqual([])
  expect(differences(example, { ...example, trades: [], edge_reason: 'late' })).toEqual([])
})

test('what depends on the case is not compared, and what stands beside it is', () => {
  const decided = (facts: object) => ({ decisions: [{ action: 'buy', facts }], facts })
  expect(differences(decided({ edge: 1 }), decided({ obstacle: 'geoblocked' }))).toEqual([
    '.facts.edge is not answered any more',
    '.facts.obstacle is not in the example',
  ])
})

test.each([
  ['a new field', { ...example, extra: 1 }, ['.extra is not in the example']],
  ['a lost field', { at: 1, trades: [], head: null }, ['.coin is not answered any more']],
  ['a lost list', { at: 1, coin: { name: 'BTC' }, head: null }, ['.trades is not answered any more']],
  [
    'a renamed field inside',
    { ...example, coin: { symbol: 'BTC' } },
    ['.coin.name is not answered any more', '.coin.symbol is not in the example'],
  ],
  [
    'a field of the first item',
    { ...example, trades: [{ id: 1, side: 'UP' }] },
    ['.trades[].side is not in the example'],
  ],
  ['a list that became a map', { ...example, trades: { BTC: 1 } }, ['.trades: a list on one side only']],
])('%s is one', (_, reply, found) => {
  expect(differences(example, reply)).toEqual(found)
})
