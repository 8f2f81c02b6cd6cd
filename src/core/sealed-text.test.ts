import { expect, test } from 'vitest'
import { openSealedText, type SealedText, sealText } from './sealed-text.ts'
import { secret } from './secret.ts'

const passphrase = secret('correct horse battery staple')

test('only the passphrase opens it, and only as it was sealed', () => {
  const sealed = sealText('the text', passphrase, 'about')
  expect(openSealedText(sealed, passphrase, 'about')).toBe('the text')
  expect(openSealedText(sealed, secret('incorrect horse'), 'about')).toBeUndefined()
  expect(openSealedText(sealed, passphrase, 'other')).toBeUndefined()
  for (const part of ['salt', 'nonce', 'tag', 'content'] as const) {
    const bytes = Uint8Array.from(sealed[part])
    bytes[0] = (bytes[0] ?? 0) ^ 1
    const changed: SealedText = { ...sealed, [part]: bytes }
    expect(openSealedText(changed, passphrase, 'about'), part).toBeUndefined()
  }
})

test('the same text looks different every time, and a passphrase may be typed in two ways', () => {
  const [first, second] = [sealText('t', secret('caf\u00e9'), ''), sealText('t', secret('cafe\u0301'), '')]
  expect(Buffer.from(first.content)).not.toEqual(Buffer.from(second.content))
  expect(openSealedText(first, secret('cafe\u0301'), '')).toBe('t')
})
