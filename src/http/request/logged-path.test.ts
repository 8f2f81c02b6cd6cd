import { expect, test } from 'vitest'
import { loggedPath } from './logged-path.ts'

test.each([
  ['/price/BTC', '/price/{token}', '/price/BTC'],
  ['/x402/receipts/0198f0c2aabbccddeeff001122334455', '/x402/receipts/{id}', '/x402/receipts/0198f0…4455'],
  ['/a-word-of-ours-that-is-long/x', '/a-word-of-ours-that-is-long/{id}', '/a-word-of-ours-that-is-long/x'],
  [`/wallet/0x${'ab'.repeat(32)}`, undefined, '/wallet/0xabab…abab'],
  ['/', '/', '/'],
  ['http://user:password@host/x', undefined, '*'],
])('%s', (path, route, logged) => {
  expect(loggedPath(path, route)).toBe(logged)
})

test('is cut', () => {
  expect(loggedPath('/x'.repeat(1_000))).toHaveLength(200)
})
