/** Virtual time: a queue of events, run one by one, each followed by everything it set off. */
export type Timeline = {
  now(): number
  /** Runs `task` after `ms`; the returned function cancels it. */
  after(ms: number, task: () => void): () => void
  sleep(ms: number): Promise<void>
  /** Called after each event with its number, from 1 on. */
  onEvent(listener: (count: number) => void): void
  events(): number
  run(isOver: () => boolean): Promise<void>
}
/** Receives the trace; undefined when none is wanted, so that no text is built for nothing. */
export type Trace = ((line: string) => void) | undefined
type Event = { atMs: number; order: number; task: (() => void) | undefined }

/** Immediates queued at once: between two of them Node runs every promise reaction that is ready. */
const IMMEDIATES = 64

export function createTimeline(startMs: number): Timeline {
  const heap: Event[] = []
  let nowMs = startMs
  let order = 0
  let count = 0
  let listener: ((count: number) => void) | undefined
  const after = (ms: number, task: () => void) => {
    const event: Event = { atMs: nowMs + Math.max(0, ms), order: order++, task }
    push(heap, event)
    return () => {
      event.task = undefined
    }
  }
  /** False when nothing is left to do. */
  const step = (): boolean => {
    let event = pop(heap)
    while (event && !event.task) event = pop(heap)
    if (!event?.task) return false
    nowMs = Math.max(nowMs, event.atMs)
    event.task()
    count++
    listener?.(count)
    return true
  }
  return {
    now: () => nowMs,
    after,
    sleep: (ms) => new Promise((resolve) => after(ms, resolve)),
    onEvent(heard) {
      listener = heard
    },
    events: () => count,
    run: (isOver) => drive(step, isOver),
  }
}

function drive(step: () => boolean, isOver: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let queued = 0
    let isDone = false
    const refill = () => {
      for (; queued < IMMEDIATES; queued++) setImmediate(tick)
    }
    const tick = () => {
      queued--
      if (isDone) return
      try {
        isDone = isOver() || !step()
      } catch (error) {
        isDone = true
        return reject(error)
      }
      if (isDone) return resolve()
      if (queued === 0) refill()
    }
    refill()
  })
}

const isBefore = (a: Event, b: Event) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)

function push(heap: Event[], event: Event): void {
  let at = heap.push(event) - 1
  while (at > 0) {
    const above = (at - 1) >> 1
    const parent = heap[above] as Event
    if (!isBefore(event, parent)) break
    heap[at] = parent
    at = above
  }
  heap[at] = event
}

function pop(heap: Event[]): Event | undefined {
  const first = heap[0]
  const last = heap.pop()
  if (!first || !last || heap.length === 0) return first
  let at = 0
  for (;;) {
    const left = 2 * at + 1
    if (left >= heap.length) break
    const right = left + 1
    const least = right < heap.length && isBefore(heap[right] as Event, heap[left] as Event) ? right : left
    if (!isBefore(heap[least] as Event, last)) break
    heap[at] = heap[least] as Event
    at = least
  }
  heap[at] = last
  return first
}
