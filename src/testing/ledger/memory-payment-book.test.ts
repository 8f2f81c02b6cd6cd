import { expect, test } from 'vitest'
import { createMemoryPaymentBook } from './memory-payment-book.ts'
import type { MemoryRows } from './memory-payment-rows.ts'
import { sampleClaim, sampleReply } from './sample-claim.ts'

test('a crash before the commit writes nothing, one after it writes without an answer', async () => {
  const rows: MemoryRows = new Map()
  const crash = { at: 'before' }
  const crashing = createMemoryPaymentBook({
    rows,
    async commit(apply) {
      if (crash.at === 'before') throw new Error('crashed')
      apply()
      throw new Error('crashed')
    },
  })
  await expect(crashing.claim(sampleClaim('k'))).rejects.toThrow('crashed')
  expect(rows.size).toBe(0)
  crash.at = 'after'
  await expect(crashing.claim(sampleClaim('k'))).rejects.toThrow('crashed')
  const restarted = createMemoryPaymentBook({ rows })
  expect(await restarted.unfinished()).toMatchObject([{ key: 'k', state: 'claimed' }])
})

test('a caller that changes a row does not change the ledger', async () => {
  const book = createMemoryPaymentBook()
  const claim = sampleClaim('k')
  await book.claim(claim)
  claim.amount = '1'
  const reply = sampleReply()
  await book.prepare('k', 'id of k', reply)
  reply.text = 'changed'
  const row = await book.find('k')
  if (row?.reply) row.reply.text = 'changed'
  expect(await book.find('k')).toMatchObject({ amount: '1000', reply: sampleReply() })
})
