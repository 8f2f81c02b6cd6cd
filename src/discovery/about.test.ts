import { expect, test } from 'vitest'
import { demo } from '../products/bot/demo.ts'
import { descriptionOf, SUMMARY } from './about.ts'

const SOLD = [
  'signals',
  'sentiment',
  'derivatives',
  'whales',
  'tokens',
  'wallets',
  'prediction markets',
  'directory',
]

test('the description names every kind of thing that is sold', () => {
  const text = descriptionOf({ mode: 'live' } as Parameters<typeof descriptionOf>[0])
  for (const word of SOLD) expect(text).toContain(word)
  for (const word of ['signals', 'tokens', 'wallets'])
    for (const short of [SUMMARY, (demo.example as { description: string }).description])
      expect(short).toContain(word)
})
