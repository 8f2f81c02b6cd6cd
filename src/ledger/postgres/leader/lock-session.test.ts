import { afterAll, expect, onTestFinished, test } from 'vitest'
import { dropSchemas, freshSchema, isPostgresMissing } from '../../../testing/ledger/postgres.ts'
import { openLedgerDatabase } from '../open-ledger.ts'
import { openLockSession } from './lock-session.ts'

afterAll(dropSchemas)

test.skipIf(isPostgresMissing)(
  'a leader whose statements go to another session than his lock is told with the next beat',
  async () => {
    const url = await freshSchema()
    const database = await openLedgerDatabase(url)
    const [first, second] = [await openLockSession(url, () => {}), await openLockSession(url, () => {})]
    onTestFinished(async () => void (await Promise.all([first.end(), second.end(), database.close()])))
    expect([await first.tryLock(), await second.tryLock()]).toEqual([true, false])
    await first.beat()
    await expect(second.beat()).rejects.toThrow('pooler')
  },
)
