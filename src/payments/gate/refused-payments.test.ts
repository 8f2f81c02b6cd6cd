import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import type { Admission, Gate, Purchase } from './gate.ts'
import { createRefusedPayments } from './refused-payments.ts'

test('payments that are refused are counted by reason, most often first; who brought none is not', async () => {
  const clock = createManualClock(1_000)
  const refused = createRefusedPayments({ clock })
  expect(refused.report()).toEqual({ sinceMs: 1_000, reasons: [] })
  let admission: Partial<Admission> = {}
  const gate: Gate = refused.watch({ demoLimit: 3, admit: async () => admission as Admission })
  const admit = (next: Partial<Admission>, isPaying = true) => {
    admission = next
    return gate.admit({ payment: isPaying ? {} : undefined } as Purchase, async () => ({}) as never)
  }
  await admit({ kind: 'refused', reason: 'expired' })
  clock.advance(5)
  for (const _ of 'ab') await admit({ kind: 'refused', reason: 'insufficient_funds' })
  await admit({ kind: 'refused', reason: 'allowance_used' }, false)
  await admit({ kind: 'refused' }, false)
  await admit({ kind: 'sold' })
  expect(gate.demoLimit).toBe(3)
  expect(refused.report().reasons).toEqual([
    {
      reason: 'insufficient_funds',
      meaning: 'the payer cannot cover the amount',
      count: 2,
      lastMs: 1_005,
    },
    { reason: 'expired', meaning: 'the payment has expired or is about to', count: 1, lastMs: 1_000 },
  ])
})
