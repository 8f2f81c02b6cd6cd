/** First in, first out, at most `capacity` long: when full, the oldest gives way and is counted. */
export type BoundedQueue<T> = {
  push(item: T): void
  shift(): T | undefined
  readonly size: number
  readonly dropped: number
}

export function createBoundedQueue<T>({ capacity }: { capacity: number }): BoundedQueue<T> {
  if (!Number.isSafeInteger(capacity) || capacity < 1) throw new RangeError('capacity must be at least 1')
  const slots: (T | undefined)[] = new Array(capacity)
  let head = 0
  let size = 0
  let dropped = 0
  return {
    push(item) {
      slots[(head + size) % capacity] = item
      if (size < capacity) size++
      else {
        head = (head + 1) % capacity
        dropped++
      }
    },
    shift() {
      if (size === 0) return undefined
      const item = slots[head]
      slots[head] = undefined
      head = (head + 1) % capacity
      size--
      return item
    },
    get size() {
      return size
    },
    get dropped() {
      return dropped
    },
  }
}
