import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { drain } from '../../http/connection/drain.ts'
import { listen } from '../../http/listen.ts'

const hex = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-f]{${digits}}$`))
    .refine((id) => !/^0+$/.test(id), 'an id of zeros is none')
/** A `fixed64`, which JSON has as text. */
const nanos = z.string().regex(/^[1-9]\d{18}$/)
const AnyValue = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: z.string().regex(/^(0|-?[1-9]\d{0,18})$/) }),
])
const Attributes = z
  .array(z.strictObject({ key: z.string().min(1), value: AnyValue }))
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'a key stands twice')
  .transform((all) => new Map(all.map(({ key, value }) => [key, Object.values(value)[0] as string])))

const Span = z
  .strictObject({
    traceId: hex(32),
    spanId: hex(16),
    parentSpanId: hex(16).optional(),
    flags: z.int().min(0).max(0xffff_ffff),
    name: z.string().min(1),
    kind: z.int().min(1).max(5),
    startTimeUnixNano: nanos,
    endTimeUnixNano: nanos,
    attributes: Attributes,
    status: z.strictObject({ code: z.int().min(0).max(2).optional() }),
  })
  .refine((span) => BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano), 'ends before it starts')

/** `ExportTraceServiceRequest` with the fields that we send and no other: a misspelt one is ignored by real collectors. */
const ExportRequest = z.strictObject({
  resourceSpans: z
    .array(
      z.strictObject({
        resource: z.strictObject({ attributes: Attributes }),
        scopeSpans: z
          .array(
            z.strictObject({
              scope: z.strictObject({ name: z.string().min(1) }),
              spans: z.array(Span).min(1),
            }),
          )
          .length(1),
      }),
    )
    .length(1),
})

export type CollectedSpan = z.output<typeof Span>
export type Collected = {
  path: string | undefined
  headers: IncomingHttpHeaders
  text: string
  resource: ReadonlyMap<string, string>
  spans: readonly CollectedSpan[]
}
type Answer = (response: ServerResponse, asked: Collected) => void

export type Collector = {
  url: string
  /** What came, in the order in which it came. */
  requests: readonly Collected[]
  /** What was no OTLP. */
  faults: readonly string[]
  spans(): CollectedSpan[]
  /** From now on. */
  answer(by: Answer): void
  [Symbol.asyncDispose](): Promise<void>
}

const TAKEN: Answer = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}')

/** A collector that takes OTLP over HTTP in JSON, and only that. */
export async function startCollector(): Promise<Collector> {
  const requests: Collected[] = []
  const faults: string[] = []
  let answer = TAKEN
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const { url: path, headers, method } = request
    const { data, error } = ExportRequest.safeParse(toJson(text))
    if (error) faults.push(z.prettifyError(error))
    if (method !== 'POST' || headers['content-type'] !== 'application/json')
      faults.push(`${method} ${headers['content-type']}`)
    const [whole] = data?.resourceSpans ?? []
    const resource = whole?.resource.attributes ?? new Map()
    const asked = { path, headers, text, resource, spans: whole?.scopeSpans[0]?.spans ?? [] }
    requests.push(asked)
    answer(response, asked)
  })
  const port = await listen(server, '127.0.0.1', 0)
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    faults,
    spans: () => requests.flatMap(({ spans }) => spans),
    answer: (by) => {
      answer = by
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await drain(server)
    },
  }
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
