import { expect, test } from 'vitest'
import type { Store } from '../../ledger/ports/store.ts'
import { type OpenTrace, runIn } from './current.ts'
import type { Span } from './span.ts'
import { traceStore } from './trace-store.ts'

const ROOT = '00f067aa0ba902b7'

function scene() {
  const spans: Span[] = []
  let dropped = 1
  let isOver = false
  const original = {
    payments: {
      find: async (key: string) => `row of ${key}`,
      void: () => Promise.reject(new TypeError('secret text')),
    },
    usage: {
      record: () => 7,
      get dropped() {
        return dropped
      },
    },
    ping: async () => {},
  }
  const trace: OpenTrace = {
    id: 'a'.repeat(32),
    nowMs: () => 5,
    isOver: () => isOver,
    add: (span) => void spans.push(span),
  }
  return {
    spans,
    store: traceStore(original as unknown as Store),
    drop: () => dropped++,
    end: () => {
      isOver = true
    },
    within: <T>(work: () => T) => runIn({ trace, spanId: ROOT }, work),
  }
}

test('what a request asks of the ledger is a span, and the answer is the same', async () => {
  const { store, spans, within } = scene()
  expect(await within(() => store.payments.find('k'))).toBe('row of k')
  expect(spans).toMatchObject([{ name: 'ledger payments.find', parentSpanId: ROOT, kind: 1, isError: false }])
  expect(JSON.stringify(spans)).not.toContain('"k"')
})

test('a failure stays the same, and its text stays out', async () => {
  const { store, spans, within } = scene()
  await expect(within(() => store.payments.void('k'))).rejects.toThrow('secret text')
  expect(spans).toMatchObject([{ isError: true, attributes: { 'error.type': 'TypeError' } }])
  expect(JSON.stringify(spans)).not.toContain('secret')
})

test('outside a request, after it and from memory there is none', async () => {
  const { store, spans, within, drop, end } = scene()
  await store.payments.find('k')
  expect(within(() => store.usage.record({} as never))).toBe(7)
  drop()
  expect(store.usage.dropped).toBe(2)
  end()
  await within(() => store.payments.find('k'))
  expect(spans).toEqual([])
})
