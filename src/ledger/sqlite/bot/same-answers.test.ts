import { test } from 'vitest'
import { expectSameAnswers } from '../../../testing/ledger/bot/same-answers.ts'
import { openDatabase } from '../database.ts'
import { createSqliteStore } from '../store.ts'

test('whatever is asked in whatever order, the book in memory answers as the one in SQLite', () =>
  expectSameAnswers(async () => createSqliteStore(openDatabase(':memory:')), 100))
