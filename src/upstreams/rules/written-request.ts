import { UpstreamError, type UpstreamRequest } from '../upstream.ts'

/** A request as it is sent. Equal requests have equal keys. */
export type WrittenRequest = {
  method: 'GET' | 'POST'
  path: string
  url: URL
  body: string | undefined
  key: string
}

type Asked = Pick<UpstreamRequest<never>, 'path' | 'query' | 'body'>

/** Throws where the path would lead elsewhere or a value cannot be written. */
export function writeRequest(baseUrl: URL, asked: Asked): WrittenRequest {
  const { path, query = {} } = asked
  const url = new URL(baseUrl)
  const base = url.pathname.replace(/\/$/, '')
  url.pathname = base + path
  // What would be encoded, cut off or resolved, such as `..`, a space or `?`, was not meant as a path.
  if (!path.startsWith('/') || url.pathname !== base + path || path.includes('//'))
    throw new UpstreamError('busy', `not sent: ${JSON.stringify(path)} is no path`)
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  for (const [name, value] of given.sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (typeof value === 'number' && !Number.isFinite(value))
      throw new UpstreamError('busy', `not sent: ${name} is ${value}`)
    url.searchParams.set(name, String(value))
  }
  const body = writeBody(asked.body)
  const method = body === undefined ? 'GET' : 'POST'
  return { method, path, url, body, key: `${method} ${path}${url.search} ${body ?? ''}` }
}

function writeBody(body: unknown): string | undefined {
  try {
    return JSON.stringify(body)
  } catch (cause) {
    throw new UpstreamError('busy', 'not sent: the body cannot be written as JSON', { cause })
  }
}
