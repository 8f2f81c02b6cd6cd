import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { secret } from './secret.ts'

test('a secret is only shown by reveal()', () => {
  const key = secret('hunter2-hunter2')
  const shown = [
    String(key),
    `${key}`,
    JSON.stringify({ key }),
    inspect({ key }, { showHidden: false }),
    Object.values(key).join(),
  ]
  expect(shown.join()).not.toContain('hunter2')
  expect(JSON.stringify({ key })).toBe('{"key":"[secret]"}')
  expect(key.reveal()).toBe('hunter2-hunter2')
})
