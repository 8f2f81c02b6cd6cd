import { afterAll, test } from 'vitest'
import { expectSameAnswers } from '../../../testing/ledger/bot/same-answers.ts'
import { openLeadingStore } from '../../../testing/ledger/leading-store.ts'
import { dropSchemas, freshSchema, isPostgresMissing } from '../../../testing/ledger/postgres.ts'

afterAll(dropSchemas)

// A schema for each run takes its time.
test.skipIf(isPostgresMissing)(
  'whatever is asked in whatever order, the book in memory answers as the one on PostgreSQL',
  () => expectSameAnswers(async () => openLeadingStore(await freshSchema()), 20),
)
