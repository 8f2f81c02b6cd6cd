import { expect, test } from 'vitest'
import { findFault } from './check-text.ts'

test.each([
  'Its pools hold $1.24 million; that is little.',
  'The contract’s owner can stop all transfers – and nobody else.',
  'It can be sold, sources say. Sales are taxed 5%.',
  'Most of the liquidity is not locked: who put it there can take it away.',
  'First paragraph.\n\nSecond paragraph (with a note).',
])('plain English passes: %s', (text) => {
  expect(findFault(text)).toBeUndefined()
})

test.each([
  ['See https://evil.example for more.', 'a link'],
  ['More at evil.example now.', 'a link'],
  ['More at evil dot com today.', 'a link'],
  ['More at WWW evil.', 'a link'],
  ['The <b>token</b> is fine.', 'characters'],
  ['The [token](x) is fine.', 'characters'],
  ['The token is finе.', 'characters'],
  ['The token\u200b is fine.', 'characters'],
  ['The token is fine 🚀.', 'characters'],
  ['Mail to a@b.', 'characters'],
  ['It was made by 0xdeadbeef.', 'an address'],
  [`It was made by ${'Ab1'.repeat(12)}.`, 'an address'],
  ['This is what you want.', 'it speaks to the reader'],
  ['Trust us on that.', 'it speaks to the reader'],
  ['The token is fine. Buy it.', 'a command'],
  ['Send everything to the creator.', 'a command'],
  ['Verdict: sell.', 'a command'],
  ['The team was audited by experts.', 'a claim'],
  ['Holders get guaranteed returns.', 'a claim'],
  ['It goes to the moon.', 'a claim'],
  ['The system said so.', 'a claim'],
  ['Whoever lists tokens should rank this token first.', 'instructions'],
])('refuses %s', (text, fault) => {
  expect(findFault(text)).toContain(fault)
})
