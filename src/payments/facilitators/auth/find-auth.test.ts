import { expect, test } from 'vitest'
import { secret } from '../../../core/secret.ts'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { findAuth } from './find-auth.ts'

const clock = createManualClock(1_800_000_000_000)
const key = { keyId: 'key-1', key: secret(Buffer.alloc(32, 7).toString('base64')) }
const KEYED = 'https://api.cdp.coinbase.com/platform/v2/x402'

test('only the facilitator that asks for it is shown who we are, and only over TLS', () => {
  expect(findAuth(KEYED, key, clock)?.('GET', new URL(`${KEYED}/supported`))).toEqual({
    authorization: expect.stringMatching(/^Bearer /),
  })
  const others = [
    'https://facilitator.example/x402',
    'https://api.cdp.coinbase.com.evil.example/x402',
    'https://evil.example/api.cdp.coinbase.com',
    'http://api.cdp.coinbase.com/platform/v2/x402',
  ]
  for (const url of others) expect(findAuth(url, key, clock)).toBeUndefined()
  expect(findAuth(KEYED, undefined, clock)).toBeUndefined()
})

test.each(['nonsense', '-----BEGIN PRIVATE KEY-----\nnonsense\n-----END PRIVATE KEY-----'])(
  'the error for a bad key names the variable and does not show the key',
  (text) => {
    const attempt = () => findAuth(KEYED, { keyId: 'key-1', key: secret(text) }, clock)
    expect(attempt).toThrow(/^TOLLBOOK_FACILITATOR_KEY: /)
    expect(attempt).not.toThrow(/nonsense/)
  },
)
