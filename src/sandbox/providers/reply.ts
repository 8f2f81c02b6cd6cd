import type { LoopbackReply, LoopbackRequest } from '../loopback-server.ts'

/** A request to a simulated provider; `path` is below the provider's own address. */
export type ProviderRequest = LoopbackRequest
export type Reply = LoopbackReply
/** `undefined`: no such address. */
export type Rest = (request: ProviderRequest) => Reply | undefined | Promise<Reply | undefined>
/** The addresses of a provider that is only read. */
export type Read = (path: string, query: URLSearchParams) => Reply | undefined | Promise<Reply | undefined>

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  const type = { 'content-type': 'application/json;charset=UTF-8' }
  return { status, headers: { ...type, ...headers }, body: JSON.stringify(value) }
}

export const ok = (value: unknown, headers: Readonly<Record<string, string>> = {}): Reply =>
  json(200, value, headers)

/** GET and HEAD; any other method is refused with 405 where there is something to read. */
export function readOnly(read: Read): Rest {
  return async ({ method, path, query }) => {
    const reply = await read(path, query)
    if (!reply || method === 'GET' || method === 'HEAD') return reply
    return json(405, { message: 'Method Not Allowed' }, { allow: 'GET, HEAD' })
  }
}

/** A whole number from 0 on, the fallback when it is absent, `undefined` when it is malformed. */
export function wholeNumber<T>(query: URLSearchParams, name: string, fallback: T): number | T | undefined {
  const text = query.get(name)
  if (text === null || text === '') return fallback
  return /^\d{1,16}$/.test(text) ? Number(text) : undefined
}
