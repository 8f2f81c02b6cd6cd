/** Values of a stream that its one reader has not taken yet. */
export type Inbox<T> = {
  /** The values not taken yet; undefined if there are none. Throws a failure that came after them, once. */
  take(): T | undefined
  /** The next value. */
  wait(): Promise<T>
  put(value: T): void
  /** Rejects the pending `wait`, or else makes the coming `take` throw. */
  fail(error: Error): void
  /** Forgets values and failures. */
  discard(): void
  /** Rejects the pending `wait`; true if there was one. */
  interrupt(error: Error): boolean
}

/** `merge` adds a value to those not taken yet and bounds how many are kept. */
export function createInbox<T>(merge: (unread: T, value: T) => T): Inbox<T> {
  let unread: T | undefined
  let failure: Error | undefined
  let waiter: PromiseWithResolvers<T> | undefined

  const interrupt = (error: Error) => {
    const interrupted = waiter
    waiter = undefined
    interrupted?.reject(error)
    return interrupted !== undefined
  }
  return {
    interrupt,
    take() {
      const value = unread
      unread = undefined
      if (value !== undefined || !failure) return value
      const error = failure
      failure = undefined
      throw error
    },
    wait() {
      waiter ??= Promise.withResolvers<T>()
      return waiter.promise
    },
    put(value) {
      if (waiter) {
        waiter.resolve(value)
        waiter = undefined
      } else unread = unread === undefined ? value : merge(unread, value)
    },
    fail(error) {
      if (!interrupt(error)) failure = error
    },
    discard() {
      unread = undefined
      failure = undefined
    },
  }
}
