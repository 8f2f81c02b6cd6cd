import { describeError } from '../../core/describe-error.ts'

/** `fetch` whose error names the host and the reason; Node's own says `fetch failed`. */
export async function fetchNamed(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (cause) {
    throw new Error(`${url.host}: ${describeError(cause)}`, { cause })
  }
}
