import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { silentLog } from '../../../core/log.ts'
import { systemClock } from '../../../core/time/clock.ts'
import { dropSchemas, freshSchema, isPostgresMissing } from '../../../testing/ledger/postgres.ts'
import { openLedgerDatabase } from '../open-ledger.ts'
import { openLeadership } from './leadership.ts'

afterAll(dropSchemas)

async function ledger() {
  const url = await freshSchema()
  await (await openLedgerDatabase(url)).close()
  return (holder: string) => {
    const leadership = openLeadership({ url, holder, clock: systemClock, log: silentLog })
    onTestFinished(leadership.close)
    return leadership
  }
}

describe.skipIf(isPostgresMissing)('one that leads', () => {
  test('knows whether another one waits to, on this ledger', async () => {
    const [open, openElsewhere] = [await ledger(), await ledger()]
    const [first, elsewhere] = [open('first'), openElsewhere('elsewhere')]
    expect([await first.won(), await elsewhere.won()]).toEqual([true, true])
    expect(await first.isAwaited()).toBe(false)
    const second = open('second')
    await expect.poll(first.isAwaited).toBe(true)
    expect(await elsewhere.isAwaited()).toBe(false)
    await second.close()
    await expect.poll(first.isAwaited).toBe(false)
  })

  test('is awaited by nobody once it has closed', async () => {
    const first = (await ledger())('first')
    await first.won()
    await first.close()
    expect(await first.isAwaited()).toBe(false)
  })
})
