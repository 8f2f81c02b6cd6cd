import { expect, test } from 'vitest'
import { AUDITED_CHARS, auditedParams } from './audited-params.ts'

test('params are kept as JSON, bigints as text', () => {
  expect(auditedParams({ side: 'UP', size_usd: 5, shares: 12_000_000n, none: undefined })).toBe(
    '{"side":"UP","size_usd":5,"shares":"12000000"}',
  )
})

test('what is named like a secret is not kept, at any depth, nor a key in any text', () => {
  const key = `tbk_${'a'.repeat(43)}`
  const text = auditedParams({
    api_key: 'SECRET',
    apiKey: 'SECRET',
    deep: [{ private_key: 'SECRET', token: ['SECRET'], passphrase: { a: 'SECRET' } }],
    note: `please use ${key} for it`,
    token_id: '123',
  })
  expect(text).not.toMatch(/SECRET|aaa/)
  expect(text).toContain('"token_id":"123"')
  expect(text).toContain('please use [secret] for it')
})

test.each([AUDITED_CHARS, AUDITED_CHARS + 1, 100_000])('%i characters are cut at 500', (length) => {
  const text = auditedParams({ a: 'x'.repeat(length - '{"a":""}'.length) })
  expect(text).toHaveLength(AUDITED_CHARS)
  expect(text.endsWith('…')).toBe(length > AUDITED_CHARS)
})

test('half a character is not kept', () => {
  const text = auditedParams({ a: '😀'.repeat(400) })
  expect(text.isWellFormed()).toBe(true)
})
