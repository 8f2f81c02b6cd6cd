import { expect, test } from 'vitest'
import { KeyReply } from './wire.ts'

const KEY = { key: 'a', passphrase: 'b' }

test.each(['c2VjcmV0', 'c2VjcmU=', 'c2VjcmU', '-_+/'])('%s signs requests', (secret) => {
  expect(KeyReply.safeParse({ ...KEY, secret }).success).toBe(true)
})

test.each(['', 's', 'c2Vjc', 'not base64!', 'c2Vj\ncmV0', '===='])('%j signs none', (secret) => {
  expect(KeyReply.safeParse({ ...KEY, secret }).success).toBe(false)
})
