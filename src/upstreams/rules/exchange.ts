import { readBoundedText } from '../../core/bounded-text.ts'
import { describeError } from '../../core/describe-error.ts'
import { UpstreamError, type UpstreamFault } from '../upstream.ts'
import { fetchNamed } from './fetch-named.ts'
import type { HostReply } from './host-gate.ts'
import { BadReply, readJson } from './read-json.ts'
import { toHoldMs } from './retry-after.ts'
import type { WrittenRequest } from './written-request.ts'

/** What is read of an error's text, so that its connection can be used again. */
const MAX_ERROR_BYTES = 16 * 1024

type Options = {
  signal: AbortSignal
  maxBytes: number
  note(reply: HostReply): void
  headers?: Readonly<Record<string, string>> | undefined
  nowMs: number
}

/** One request and its reply. The JSON of a 200; every other outcome rejects with an `UpstreamError`. */
export async function exchange(request: WrittenRequest, options: Options): Promise<unknown> {
  const { method, path, url, body } = request
  const where = `${method} ${path}`
  try {
    const reply = await fetchNamed(url, {
      method,
      headers: {
        accept: 'application/json',
        // Some hosts refuse requests without one.
        'user-agent': 'tollbook',
        ...options.headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      redirect: 'manual',
      signal: options.signal,
      ...(body !== undefined && { body }),
    })
    const [retryAfter, date] = [reply.headers.get('retry-after'), reply.headers.get('date')]
    options.note({ status: reply.status, retryAfter, date })
    if (reply.status === 200) return await readJson(reply, options.maxBytes)
    const said = await readBoundedText(reply, MAX_ERROR_BYTES)
    const retryAfterMs = retryAfter === null ? undefined : toHoldMs(retryAfter, date, options.nowMs)
    throw new UpstreamError(faultOf(reply.status), `${where}: answered ${reply.status}`, {
      ...{ status: reply.status, said },
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    })
  } catch (error) {
    if (error instanceof UpstreamError) throw error
    if (error instanceof BadReply) throw new UpstreamError('malformed', `${where}: ${error.message}`)
    throw new UpstreamError('down', `${where}: ${describeError(error)}`, { cause: error })
  }
}

/** A redirect breaks the format: no service that we call answers with one. */
function faultOf(status: number): UpstreamFault {
  if (status >= 500) return 'down'
  if (status === 404) return 'not_found'
  return status >= 400 ? 'refused' : 'malformed'
}
