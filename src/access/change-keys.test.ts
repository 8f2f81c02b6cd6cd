import { expect, test } from 'vitest'
import {
  createMemoryOperatorBook,
  createMemoryOperatorRows,
} from '../testing/ledger/operator/memory-operator-book.ts'
import { MAX_WORKING_KEYS, makeKey, revokeKey, rotateKey } from './change-keys.ts'
import { digestOf } from './new-operator-key.ts'
import { isWorking } from './operator-keys.ts'

const newBook = () => createMemoryOperatorBook(createMemoryOperatorRows())
const WANTED = { label: 'bot', scopes: ['trade'] } as const

test('a key is 256 bits after a prefix; the book holds its digest and not the key', async () => {
  const book = newBook()
  const { id, key } = await makeKey(book, WANTED, 7)
  const text = key.reveal()
  expect(text).toMatch(/^tbk_[\w-]{43}$/)
  expect(await book.keys()).toEqual([
    {
      id,
      ...WANTED,
      digest: digestOf(text).toString('hex'),
      createdMs: 7,
      lastUsedMs: undefined,
      revokedMs: undefined,
    },
  ])
  expect((await makeKey(book, WANTED, 7)).key.reveal()).not.toBe(text)
  expect(JSON.stringify(await book.keys())).not.toContain(text.slice(4))
})

test('there are 32 working keys at most; a revoked one makes room', async () => {
  const book = newBook()
  for (let n = 0; n < MAX_WORKING_KEYS; n++) await makeKey(book, WANTED, n)
  await expect(makeKey(book, WANTED, 50)).rejects.toThrow(/32 working keys.*revoke one/)
  const [first] = await book.keys()
  await revokeKey(book, first?.id ?? '', 60)
  await makeKey(book, WANTED, 60)
  expect((await book.keys()).filter((row) => isWorking(row, 60))).toHaveLength(MAX_WORKING_KEYS)
})

test('a rotated key works until its grace is over, its successor at once', async () => {
  const book = newBook()
  const old = await makeKey(book, WANTED, 0)
  const made = await rotateKey(book, { id: old.id, graceMs: 100 }, 10)
  expect(made).toMatchObject({ ...WANTED, revokedMs: 110 })
  const working = async (atMs: number) =>
    (await book.keys()).filter((row) => isWorking(row, atMs)).map(({ id }) => id)
  expect(await working(109)).toEqual([old.id, made.id])
  expect(await working(110)).toEqual([made.id])
  await expect(rotateKey(book, { id: old.id, graceMs: 0 }, 50)).rejects.toThrow(/works until .*keys make/)
  await revokeKey(book, old.id, 60)
  expect(await working(60)).toEqual([made.id])
  await expect(rotateKey(book, { id: old.id, graceMs: 0 }, 70)).rejects.toThrow(/was revoked at/)
})

test('a key that is not there is named', async () => {
  const book = newBook()
  await expect(revokeKey(book, 'x', 0)).rejects.toThrow(
    'there is no key "x": ./tollbook keys list shows all of them',
  )
  await expect(rotateKey(book, { id: 'x', graceMs: 0 }, 0)).rejects.toThrow('there is no key "x"')
})

test('revoking twice keeps the first time', async () => {
  const book = newBook()
  const { id } = await makeKey(book, WANTED, 0)
  await revokeKey(book, id, 5)
  expect(await revokeKey(book, id, 9)).toMatchObject({ revokedMs: 5 })
  expect(await book.keys()).toMatchObject([{ revokedMs: 5 }])
})
