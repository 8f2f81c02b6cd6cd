import { expect, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { secret } from '../../core/secret.ts'
import { redactConfig } from './redact-config.ts'

const redact = (...texts: string[]) => redactConfig({ secrets: texts.map(secret) })

test('a secret is taken out of a text, also without its 0x', () => {
  const key = `0x${'12'.repeat(32)}`
  expect(redact(key)(`bad key ${key.slice(2)} or ${key}`)).toBe('bad key [secret] or [secret]')
})

test('of an address its keys are taken out, and its host is left', () => {
  const shown = redact('https://base.example/v2/abcdefgh12, https://two.example/?apikey=ijklmnop34')
  expect(shown('https://base.example/v2/abcdefgh12 and https://two.example/?apikey=ijklmnop34')).toBe(
    'https://base.example/v2/[secret] and https://two.example/?apikey=[secret]',
  )
})

test('keys of any address are taken out, and words that many addresses have are left', () => {
  const shown = redactConfig(
    readConfig({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example/abcdefgh12',
      TOLLBOOK_FACILITATORS: 'http://127.0.0.1:1/facilitator/ijklmnop34',
    }),
  )
  expect(shown('the facilitator says: no abcdefgh12 or ijklmnop34')).toBe(
    'the facilitator says: no [secret] or [secret]',
  )
})

test('of a database the password is taken out however it is written, and its name is left', () => {
  const shown = redact('postgres://tollbook:pass%2Fword1@db.example/tollbook')
  expect(shown('tollbook: pass%2Fword1 or pass/word1 at db.example/tollbook')).toBe(
    'tollbook: [secret] or [secret] at db.example/tollbook',
  )
  expect(redact('redis://:100%25%zz-secret@cache.example')('100%25%zz-secret')).toBe('[secret]')
})
