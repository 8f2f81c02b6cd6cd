export type Path = `/${string}`

/** The names between braces: `PathNames<'/price/{token}'>` is `'token'`. */
export type PathNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never

const SEGMENT_NAME = /^\{([a-z][a-z0-9_]*)\}$/

export function pathNames(path: string): string[] {
  return segmentsOf(path).flatMap((segment) => segmentName(segment) ?? [])
}

/** Two paths of one shape answer the same requests: `/token/{a}` and `/token/{b}`. */
export function shapeOf(path: string): string {
  return segmentsOf(path)
    .map((segment) => (segmentName(segment) ? '{}' : segment))
    .join('/')
}

export function segmentsOf(path: string): string[] {
  return path.slice(1).split('/')
}

export function segmentName(segment: string): string | undefined {
  return SEGMENT_NAME.exec(segment)?.[1]
}

/** `/price/{token}` with `{ token: 'BTC' }` is `/price/BTC`. */
export function fillPath(path: string, values: Record<string, unknown>): string {
  return path.replace(/\{([a-z][a-z0-9_]*)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
}

/** What an address says for the names of a path: `{ token: 'BTC' }`; nothing where it is no address of that path. */
export function valuesIn(path: string, address: string): Record<string, string> | undefined {
  const [wanted, given] = [segmentsOf(path), segmentsOf(address)]
  const isMet = (segment: string, at: number) => segmentName(segment) ?? segment === given[at]
  if (wanted.length !== given.length || !wanted.every(isMet)) return undefined
  const named = wanted.flatMap((segment, at) => {
    const name = segmentName(segment)
    return name === undefined ? [] : [[name, decodeURIComponent(given[at] ?? '')]]
  })
  return Object.fromEntries(named)
}

/** Ends the address of what is Markdown whatever the caller accepts. */
export const MARKDOWN_ENDING = '.md'

/** `/pricing` is Markdown at `/pricing.md`, and `/` at `/index.md`. */
export function markdownPath(path: Path): Path {
  return path === '/' ? `/index${MARKDOWN_ENDING}` : `${path}${MARKDOWN_ENDING}`
}
