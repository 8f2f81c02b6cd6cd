import { createBoundedCache } from '../core/bounded-cache.ts'
import { type Aged, createSource, type Source, type SourceOptions } from './source.ts'

/** A `Source` for each key, such as a token's address; the keys that were asked for last are kept. */
export type KeyedSource<T> = {
  /** As `Source.read`. */
  read(key: string): Promise<Aged<T>>
  /** As `Source.last`. */
  last(key: string): Aged<T> | undefined
}

type Options<T> = Omit<SourceOptions<T>, 'fetch'> & {
  /** Keys that are kept. */
  capacity: number
  fetch: (key: string) => Promise<T>
}

export function createKeyedSource<T>({ capacity, fetch, ...options }: Options<T>): KeyedSource<T> {
  const kept = createBoundedCache<string, Source<T>>({ capacity })
  return {
    read(key) {
      const source = kept.get(key) ?? createSource({ ...options, fetch: () => fetch(key) })
      kept.set(key, source)
      return source.read()
    },
    last: (key) => kept.get(key)?.last(),
  }
}
