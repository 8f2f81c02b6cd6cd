import { expect, test } from 'vitest'
import { NONCE_KEPT_MS, NONCES_MAX } from '../../ports/sign-in-book.ts'
import { openDatabase } from '../database.ts'
import { createSqliteStore } from '../store.ts'
import { PORTION } from './sign-in-book.ts'

const LONG_AGO = 1_000
const LATER = LONG_AGO + NONCE_KEPT_MS
const ROWS = 10 * PORTION

const rowsOf = (db: ReturnType<typeof openDatabase>, table: string) =>
  Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n)

test('after a flood one write forgets a portion, has room at once, and the next ones forget the rest', async () => {
  const db = openDatabase(':memory:')
  const { signIn, close } = createSqliteStore(db)
  const insert = db.prepare('INSERT INTO sign_in_nonces (nonce, spent_ms) VALUES (?, ?)')
  for (let n = 0; n < ROWS; n++) insert.run(`n${n}`, LONG_AGO)
  expect(await signIn.spendNonce('early', { nowMs: LATER - 1, room: ROWS })).toBe('full')
  expect(await signIn.spendNonce('next', { nowMs: LATER, room: ROWS })).toBe('spent')
  expect(rowsOf(db, 'sign_in_nonces')).toBe(ROWS - PORTION + 1)
  for (let n = 0; n < 10; n++) await signIn.spendNonce(`after ${n}`, { nowMs: LATER, room: NONCES_MAX })
  expect(rowsOf(db, 'sign_in_nonces')).toBe(11)
  await close()
})

test('ended tokens are forgotten in portions too', async () => {
  const db = openDatabase(':memory:')
  const { signIn, close } = createSqliteStore(db)
  const insert = db.prepare('INSERT INTO revoked_tokens VALUES (?, ?)')
  for (let n = 0; n < ROWS; n++) insert.run(`t${n}`, LONG_AGO)
  await signIn.revokeToken('next', LATER, LONG_AGO)
  expect(rowsOf(db, 'revoked_tokens')).toBe(ROWS - PORTION + 1)
  await close()
})
