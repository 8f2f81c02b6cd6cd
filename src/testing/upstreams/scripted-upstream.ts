import type { z } from 'zod'
import { type Upstream, UpstreamError, type UpstreamRequest } from '../../upstreams/upstream.ts'
import { parseWire } from '../../upstreams/wire/reply.ts'

export type Asked = Pick<UpstreamRequest<z.ZodType>, 'path' | 'query' | 'body'>
export type ScriptedUpstream = Pick<Upstream, 'ask'> & { asked: Asked[] }

/** Answers each request with the JSON that `answer` gives for it; undefined is a 404. */
export function createScriptedUpstream(answer: (request: Asked) => unknown): ScriptedUpstream {
  const asked: Asked[] = []
  return {
    asked,
    async ask({ path, query, body, schema }) {
      const request = { path, ...(query && { query }), ...(body !== undefined && { body }) }
      asked.push(request)
      const json = answer(request)
      if (json === undefined) throw new UpstreamError('not_found', `${path} answered 404`, { status: 404 })
      return parseWire(schema, json, path)
    },
  }
}
