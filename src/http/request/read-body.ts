import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../../core/service-error.ts'

export const BODY_LIMIT_BYTES = 65_536

/** The JSON body of a request, refused before it is read when it says it is too large. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const type = request.headers['content-type'] ?? ''
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type))
    throw notJson(`the content type is ${JSON.stringify(type)}`)
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) throw tooLarge()
  const bytes = await readBytes(request)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw notJson('the body does not parse')
  }
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request) {
      bytes += (chunk as Buffer).length
      if (bytes > BODY_LIMIT_BYTES) throw tooLarge()
      chunks.push(chunk as Buffer)
    }
  } catch (error) {
    // The client has gone, or took too long: nobody's fault here.
    throw error instanceof ServiceError ? error : new ServiceError('bad_request', 'the body ended early')
  }
  return Buffer.concat(chunks)
}

const notJson = (message: string) =>
  new ServiceError('not_json', message, { hint: 'send JSON in UTF-8 with Content-Type: application/json' })
const tooLarge = () => new ServiceError('body_too_large', `a body may have at most ${BODY_LIMIT_BYTES} bytes`)
