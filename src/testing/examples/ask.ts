import type { Endpoint } from '../../catalog/catalog.ts'
import { fillPath, pathNames } from '../../catalog/path.ts'
import type { Site } from '../../catalog/site.ts'
import type { World } from '../world.ts'

/** An endpoint whose reply documents show. */
export type Shown = Extract<Endpoint<Site>, { kind: 'product' | 'stream' | 'protocol' }>
export type Reply = { status: number; body: unknown }
export type Asked = { sample?: Record<string, unknown>; headers?: Record<string, string> }

export const isShown = (endpoint: Endpoint<Site>): endpoint is Shown =>
  endpoint.kind === 'product' || endpoint.kind === 'stream' || endpoint.kind === 'protocol'

export const schemaOf = (endpoint: Shown) => {
  if (endpoint.kind === 'protocol') return endpoint.answer.schema
  return endpoint.kind === 'stream' ? endpoint.event : endpoint.response
}

export const exampleOf = (endpoint: Shown): unknown =>
  endpoint.kind === 'protocol' ? endpoint.answer.example : endpoint.example

/** Asks for the sample of an endpoint over HTTP, or for another one. */
export async function ask(world: World, endpoint: Shown, asked: Asked = {}): Promise<Reply> {
  const { method, path } = endpoint
  const sample = asked.sample ?? endpoint.sample
  const named = pathNames(path)
  const rest = Object.fromEntries(Object.entries(sample).filter(([name]) => !named.includes(name)))
  const posted = bodyOf(endpoint, rest)
  const query = posted !== undefined ? '' : `?${new URLSearchParams(rest as Record<string, string>)}`
  const headers = { ...asked.headers, ...(posted !== undefined && { 'content-type': 'application/json' }) }
  const init = { headers, ...(posted !== undefined && { body: JSON.stringify(posted) }) }
  const reply = await world.send(method, `${fillPath(path, sample)}${query}`, init)
  return {
    status: reply.status,
    body: endpoint.kind === 'stream' ? await firstEvent(reply) : await reply.json(),
  }
}

function bodyOf(endpoint: Shown, rest: object): unknown {
  if (endpoint.kind === 'protocol') return endpoint.message?.example
  return endpoint.kind === 'product' && endpoint.paramsIn === 'body' ? rest : undefined
}

const DATA = /^data: (.*)\n\n/m

async function firstEvent({ body }: Response): Promise<unknown> {
  let text = ''
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece
    const [, data] = DATA.exec(text) ?? []
    if (data) return JSON.parse(data)
  }
  throw new Error(`the stream ended without an event: ${text}`)
}
