import { expect, test } from 'vitest'
import { parseRedisAddress } from './redis-address.ts'

const plain = { host: 'h', port: 6379, username: undefined, password: undefined, db: 0, isTls: false }

test.each([
  ['redis://h', plain],
  ['redis://h:7000/2', { ...plain, port: 7000, db: 2 }],
  ['rediss://me:p%40ss@h/', { ...plain, username: 'me', password: 'p@ss', isTls: true }],
  ['redis://:secret@[::1]:6380', { ...plain, host: '::1', port: 6380, password: 'secret' }],
])('%s is understood', (text, address) => {
  expect(parseRedisAddress(text)).toEqual(address)
})

test.each([
  ['', 'no address'],
  ['127.0.0.1:6379', 'no address'],
  ['http://:secret@h', 'begins with redis:// or rediss://, not http://'],
  ['redis:///1', 'no host'],
  ['redis://:secret@h/one', 'is a number'],
  ['redis://:secret@h/1/2', 'is a number'],
  ['redis://:secret@h/1?enableOfflineQueue=true', 'ends with the number'],
  ['redis://:secret%zz@h', 'write %25'],
])('%s is refused, and its password not told', (text, why) => {
  const refuse = () => parseRedisAddress(text)
  expect(refuse).toThrow(why)
  expect(refuse).not.toThrow('secret')
})
