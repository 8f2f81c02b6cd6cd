import { AsyncLocalStorage } from 'node:async_hooks'
import { type Attributes, type Kind, newSpanId, type Span } from './span.ts'

/** The trace of a request that is being answered. */
export type OpenTrace = {
  id: string
  nowMs(): number
  /** What begins after the reply has left belongs to no request: a pause that it began, a loop that it started. */
  isOver(): boolean
  add(span: Span): void
}

type Place = { trace: OpenTrace; spanId: string }
type About = { name: string; kind: Kind; attributes: Attributes }
export type Outcome = { isError: boolean; attributes: Attributes }

const current = new AsyncLocalStorage<Place>()

/** What `work` calls, and whatever that goes on to call, is part of this span. */
export const runIn = <T>(place: Place, work: () => T): T => current.run(place, work)

/** Runs `work` as a span of the request that it is done for. Where that is not traced, it only runs it. */
export function inSpan<T>(
  about: About,
  work: () => Promise<T>,
  judge: (done: T) => Outcome = WELL,
): Promise<T> {
  const parent = current.getStore()
  if (!parent || parent.trace.isOver()) return work()
  const { trace } = parent
  const spanId = newSpanId()
  const startMs = trace.nowMs()
  const end = ({ isError, attributes }: Outcome) =>
    trace.add({
      ...{ traceId: trace.id, spanId, parentSpanId: parent.spanId, isParentRemote: false },
      ...{ name: about.name, kind: about.kind, startMs, endMs: trace.nowMs(), isError },
      attributes: { ...about.attributes, ...attributes },
    })
  const made = current.run({ trace, spanId }, work)
  // A part that answers from memory is none of the waits that traces are for.
  if (!(made instanceof Promise)) return made
  return made.then(
    (done) => {
      end(judge(done))
      return done
    },
    (error) => {
      end({ isError: true, attributes: { 'error.type': errorType(error) } })
      throw error
    },
  )
}

const NOTHING_MORE: Outcome = { isError: false, attributes: {} }
const WELL = () => NOTHING_MORE

const WORD = /^\w{1,64}$/

/** The kind of an error, never its text: that may quote a caller, an address or another host. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const fault = 'fault' in error && typeof error.fault === 'string' ? error.fault : error.name
  return WORD.test(fault) ? fault : 'unknown'
}
