/** Who wants to hear of one kind of event. A listener added or removed while one runs counts from the next. */
export type Listeners<T> = {
  listen(listener: (event: T) => void): () => void
  emit(event: T): void
  /** Makes the event only when somebody listens. */
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
