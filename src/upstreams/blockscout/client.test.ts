import { expect, it } from 'vitest'
import type { Upstream } from '../upstream.ts'
import { createBlockscout } from './client.ts'

it('asks only for transactions that the address sent, so that dust of others does not fill the page', async () => {
  const asked: unknown[] = []
  const ask = (async ({ path, query }) => {
    asked.push({ path, query })
    return { rows: [], skipped: { count: 0, reasons: [] }, hasMore: false }
  }) as Upstream['ask']
  const address = `0x${'a1'.repeat(20)}`
  await createBlockscout({ ask }).transactions(address)
  expect(asked).toEqual([{ path: `/api/v2/addresses/${address}/transactions`, query: { filter: 'from' } }])
})
