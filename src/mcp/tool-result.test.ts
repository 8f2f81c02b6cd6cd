import { expect, test } from 'vitest'
import { toFailure } from './tool-result.ts'

const SAME = 'send the same request with the same payment again; do not sign a new one'

test('a bug that a payment met is told with what to do about the payment, to models and to programs', () => {
  const { content, structuredContent } = toFailure(new Error('disk full'), 'r1', true)
  expect(content).toMatchObject([{ text: expect.stringContaining(`The payment may be charged: ${SAME}.`) }])
  expect(structuredContent).toMatchObject({ code: 'internal', hint: SAME, request_id: 'r1' })
  expect(JSON.stringify([content, structuredContent])).not.toContain('disk full')
})

test('without a payment a bug says nothing of one', () => {
  expect(JSON.stringify(toFailure(new Error('disk full'), 'r1', false))).not.toContain('payment')
})
