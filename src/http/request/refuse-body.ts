import type { IncomingMessage } from 'node:http'
import { readJsonBody } from './read-body.ts'
import { ValidationError } from './validation.ts'

/**
 * Where params stand in the query, what a body says would be passed over: a sale of one share would sell all of them. An
 * empty object says nothing, and some clients always send one.
 */
export async function refuseBody(request: IncomingMessage): Promise<void> {
  const body = await readJsonBody(request)
  if (typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0)
    return
  const msg = 'is not read here: send the params in the query, and no body'
  throw new ValidationError([{ loc: ['body'], msg, type: 'extra_forbidden' }])
}
