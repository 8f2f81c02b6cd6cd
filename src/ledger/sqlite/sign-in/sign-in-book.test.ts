import { expect, test } from 'vitest'
import { NONCES_MAX } from '../../ports/sign-in-book.ts'
import { openDatabase } from '../database.ts'
import { createSqliteStore } from '../store.ts'

test('there is room for so many challenges and no more, until the oldest have expired', async () => {
  const db = openDatabase(':memory:')
  const { signIn, close } = createSqliteStore(db)
  // As if so many had been given out since the oldest that still waits.
  const insert = db.prepare('INSERT INTO sign_in_nonces VALUES (?, ?, ?, 0, ?)')
  insert.run(1, 'oldest', '0xb2', 2_000)
  insert.run(NONCES_MAX, 'newest', '0xb2', 3_000)
  const next = { nonce: 'next', wallet: '0xb2', issuedMs: 1_000, expiresMs: 4_000 }
  expect(await signIn.addNonce(next, 1_000)).toBe(false)
  expect(await signIn.spendNonce('own', 4_000, 1_000)).toBe('full')
  expect(await signIn.findNonce('oldest')).toBeDefined()
  expect(await signIn.addNonce(next, 2_000)).toBe(true)
  await close()
})
