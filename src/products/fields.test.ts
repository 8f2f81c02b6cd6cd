import { expect, test } from 'vitest'
import { EvmAddress, Note, OwnPath, RecordId, WindowEdge } from './fields.ts'

test.each([
  ['a window opens every 300 seconds', WindowEdge, [0, 1_767_614_400], [1_767_614_401, -300, 0.5]],
  ['an entry of the record is a coin and a second', RecordId, ['BTC-1767614400'], ['BTC', 'btc-1', 'BTC-1 ']],
  ['a note is a sentence', Note, ['x', 'x'.repeat(500)], ['', 'x'.repeat(501)]],
  ['a path of ours begins at the root', OwnPath, ['/record/BTC-1'], ['record', 'https://example.com']],
  ['an address has 20 bytes', EvmAddress, [`0x${'aB'.repeat(20)}`], [`0x${'a'.repeat(39)}`, 'a'.repeat(42)]],
])('%s', (_, schema, good, bad) => {
  for (const value of good) expect(schema.safeParse(value).success, String(value)).toBe(true)
  for (const value of bad) expect(schema.safeParse(value).success, String(value)).toBe(false)
})
