/** The listeners of one kind of event. One that is added or removed during an event counts from the next event on. */
export type Listeners<T> = {
  listen(listener: (event: T) => void): () => void
  emit(event: T): void
  /** Creates the event only if there are listeners. */
  emitLazily(make: () => T): void
}

export function createListeners<T>(): Listeners<T> {
  let listeners: readonly ((event: T) => void)[] = []
  const emit = (event: T) => {
    for (const listener of listeners) listener(event)
  }
  return {
    listen(listener) {
      listeners = [...listeners, listener]
      return () => {
        listeners = listeners.filter((other) => other !== listener)
      }
    },
    emit,
    emitLazily(make) {
      if (listeners.length > 0) emit(make())
    },
  }
}
