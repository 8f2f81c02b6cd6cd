/** A value with the time at which it was true. */
export type Aged<T> = { value: T; asOfMs: number }

/**
 * The last good value of something that is read from a provider. Younger than its soft age it is served as it is;
 * between soft and hard age it is served while a new one is read; older than its hard age it is not served.
 */
export type Source<T> = {
  /** The value, read anew where needed; rejects with an `UpstreamError` when there is none young enough. */
  read(): Promise<Aged<T>>
  /** The last good value however old, without a request. */
  last(): Aged<T> | undefined
}
