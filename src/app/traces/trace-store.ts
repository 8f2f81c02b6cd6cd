import type { Store } from '../../ledger/ports/store.ts'
import { inSpan } from './current.ts'
import { KIND } from './span.ts'

type Call = (...given: unknown[]) => Promise<unknown>

/** The same ledger; what a traced request asks of it is a span. */
export function traceStore(store: Store): Store {
  const parts = Object.entries(store).map(([name, part]) => [
    name,
    typeof part === 'object' ? traceBook(name, part) : part,
  ])
  return Object.fromEntries(parts) as Store
}

function traceBook(book: string, original: object): object {
  const traced = {}
  for (const key of Object.keys(original)) {
    const part: unknown = Reflect.get(original, key)
    if (typeof part === 'function')
      Reflect.set(traced, key, traceCall(book, key, (part as Call).bind(original)))
    // Read when it is asked for: it may be a count that grows.
    else Object.defineProperty(traced, key, { enumerable: true, get: () => Reflect.get(original, key) })
  }
  return traced
}

function traceCall(book: string, operation: string, call: Call): Call {
  const about = {
    name: `ledger ${book}.${operation}`,
    kind: KIND.internal,
    attributes: { 'tollbook.book': book, 'tollbook.operation': operation },
  }
  return (...given) => inSpan(about, () => call(...given))
}
