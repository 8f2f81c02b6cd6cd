import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createCatalog } from '../../catalog/catalog.ts'
import { pathNames } from '../../catalog/path.ts'
import { PAYMENT_PARAM_NAMES } from '../../catalog/payment-params.ts'
import { rendered, testSite } from '../../testing/discovery/sample-site.ts'
import { discoveryGroup } from '../group.ts'

type Media = { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> }
type Problem = { properties: { status: { const?: number }; code: { enum: string[] } } }
type Response = { $ref?: string; content?: Record<string, Media>; headers?: object }
type Parameter = {
  $ref?: string
  name?: string
  in?: string
  required?: boolean
  schema?: object
  example?: unknown
}
type Operation = {
  operationId: string
  description: string
  tags: string[]
  security: object[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Response>
  [extension: `x-${string}`]: unknown
}
type OpenApi = {
  openapi: string
  info: Record<string, unknown>
  tags: { name: string; description: string }[]
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, object>>
}

const site = testSite()
const parse = (of = site): OpenApi => JSON.parse(rendered(of, 'document.openapi'))
const api = parse()
const operations = site.catalog.routes.map((route) => {
  const operation = api.paths[route.path]?.[route.method.toLowerCase()]
  if (!operation) throw new Error(`the description lacks ${route.method} ${route.path}`)
  return { name: `${route.method} ${route.path}`, route, operation }
})

test('has every address of the catalog and no other', () => {
  const described = Object.values(api.paths).flatMap((item) => Object.keys(item))
  expect(described).toHaveLength(site.catalog.routes.length)
  expect(operations).toHaveLength(described.length)
})

test('says who we are', () => {
  expect(api.openapi).toBe('3.1.0')
  expect(api.info).toMatchObject({ version: '2.0.0', contact: { email: 'master@harbour.test' } })
  expect(String(api.info['x-guidance']).length).toBeLessThan(4_000)
  expect(String(api.info.description).length).toBeLessThanOrEqual(500)
  expect(api.servers.map(({ url }) => url)).toEqual(['https://harbour.test:8443'])
})

test('operation ids are unique and do not depend on the order of aliases', () => {
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toContain('test_harbour')
  expect(ids).toContain('test_harbour__home_harbour')
  expect(ids).toContain('test_harbour__ports__name')
})

test('every reference stands on something, every component is used, every tag is described', () => {
  const refs = [...JSON.stringify(api).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)]
  for (const [whole, kind = '', name = ''] of refs) expect(api.components[kind]?.[name], whole).toBeDefined()
  const used = new Set(refs.map(([, kind, name]) => `${kind}/${name}`))
  for (const [kind, group] of Object.entries(api.components))
    for (const name of Object.keys(group))
      if (kind !== 'securitySchemes') expect(used, `${kind}/${name}`).toContain(`${kind}/${name}`)
  const described = api.tags.map(({ name }) => name)
  for (const { operation } of operations) expect(described).toEqual(expect.arrayContaining(operation.tags))
})

describe.each(operations)('$name', ({ route, operation }) => {
  const { endpoint } = route
  const parameters = (operation.parameters ?? []).map(resolved)

  test('tells the statuses that it can answer with', () => {
    const isProduct = endpoint.kind === 'product'
    const isProtocol = endpoint.kind === 'protocol'
    const kind = endpoint.access.kind
    const ownParams = (isProduct || isProtocol) && Object.keys(endpoint.params.shape).length > 0
    const expected = {
      200: endpoint.kind !== 'redirect',
      304: endpoint.kind === 'document' || endpoint.kind === 'document_set',
      307: endpoint.kind === 'redirect',
      401: kind !== 'free' && kind !== 'paid',
      402: kind === 'paid',
      403: isProtocol || (endpoint.access.kind === 'operator' && endpoint.access.scope !== 'read'),
      404: pathNames(route.path).length > 0,
      409: kind === 'operator' && route.method === 'POST',
      422: kind === 'paid' || kind === 'operator' || ownParams,
      429: isProduct || isProtocol,
      503: isProduct || isProtocol,
    }
    const told = Object.keys(expected).map((status) => [status, status in operation.responses])
    expect(Object.fromEntries(told)).toEqual(expected)
  })
  test('asks for a credential only where one is needed', () => {
    const named = operation.security.flatMap(Object.keys)
    const { access } = endpoint
    const ofScope = { read: 'operator_key', trade: 'trade_key', admin: 'admin_key' }
    const ofKind = {
      free: [],
      paid: ['wallet_token'],
      wallet: ['wallet_token'],
      payer: ['wallet_proof', 'wallet_token'],
    }
    const expected = access.kind === 'operator' ? [ofScope[access.scope]] : ofKind[access.kind]
    expect(named).toEqual(expected)
    const needsNone = operation.security.some((each) => Object.keys(each).length === 0)
    expect(needsNone).toBe(access.kind === 'paid')
    for (const name of named) expect(api.components.securitySchemes).toHaveProperty(name)
  })
  test('declares every name of its path, and the common params when it is paid', () => {
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    expect(inPath.map(({ name, required }) => [name, required])).toEqual(
      pathNames(route.path).map((name) => [name, true]),
    )
    const common = parameters.filter(({ name }) => PAYMENT_PARAM_NAMES.includes(name ?? ''))
    expect(common).toHaveLength(endpoint.access.kind === 'paid' ? PAYMENT_PARAM_NAMES.length : 0)
    for (const { name, required, example } of parameters) if (required) expect(example, name).toBeDefined()
    for (const { schema, example } of parameters)
      if (schema && example !== undefined) validate(schema, example)
  })
  test('shows a reply that its schema allows', () => {
    const replies = Object.values(operation.responses).map(resolved)
    const media = [...replies, ...(operation.requestBody ? [operation.requestBody] : [])].flatMap(
      ({ content }) => Object.values(content ?? {}),
    )
    for (const { schema, example, examples } of media) {
      const shown = examples ? Object.values(examples).map(({ value }) => value) : [example]
      for (const value of shown) validate(schema, value)
    }
    if (endpoint.kind !== 'redirect') expect(operation.responses['200']?.content).not.toEqual({})
  })
  test('is described in at most 500 characters', () => {
    expect(operation.description.length).toBeLessThanOrEqual(500)
  })
})

function resolved<T extends { $ref?: string }>(value: T): T {
  if (value.$ref === undefined) return value
  const [kind = '', name = ''] = value.$ref.split('/').slice(-2)
  return api.components[kind]?.[name] as T
}

/** The published schema, not the one it was made from: a mistake in the translation must show. */
function validate(schema: object, value: unknown): void {
  const local = (part: unknown) => JSON.stringify(part).replaceAll('#/components/schemas/', '#/$defs/')
  const whole = JSON.parse(`{"$defs":${local(api.components.schemas)},"allOf":[${local(schema)}]}`)
  z.fromJSONSchema(whole).parse(value)
}

test('the check of examples can fail', () => {
  expect(() =>
    validate({ $ref: '#/components/schemas/test.harbour' }, { name: 'x', level: 'high' }),
  ).toThrow()
  expect(() =>
    validate({ $ref: '#/components/schemas/test.tides' }, { root: { name: 'a', parts: [{}] }, note: null }),
  ).toThrow()
})

test('a paid operation tells its terms as the specification and the directories want them', () => {
  const operation = api.paths['/harbours/{name}']?.get
  expect(operation?.['x-payments']).toEqual({
    scheme: 'x402',
    version: 2,
    price: { amount_atomic: '12500', currency: 'USDC', human: '$0.0125 per call', usd: 0.0125 },
    accepts: site.payment.accepts('12500'),
    facilitator: 'https://facilitator.test',
    demo: { free_calls_per_day_per_ip: 3, via: expect.any(String) },
    sdk: {
      node: expect.any(String),
      ts_generic: expect.any(String),
      py_generic: expect.any(String),
      agentcash_mcp: expect.any(String),
    },
  })
  expect(operation?.['x-payment-info']).toEqual({
    price: { mode: 'fixed', currency: 'USD', amount: '0.0125' },
    protocols: [{ x402: {} }],
  })
  expect(api.paths['/tides']?.get).not.toHaveProperty('x-payments')
})

test('an alias that fixes a param says whose reply it shows', () => {
  const media = api.paths['/home-harbour']?.get?.responses['200']?.content?.['application/json']
  expect(media?.examples).toEqual({
    reply: expect.objectContaining({ summary: 'Reply to GET /harbours/deal%20%26%20dover' }),
  })
  expect(api.paths['/ports/{name}']?.get?.responses['200']?.content?.['application/json']).toHaveProperty(
    'example',
  )
})

test('a redirect shows the reply of its target, and says whose example it is', () => {
  expect(api.paths['/harbours']?.get?.responses['2XX']?.content?.['application/json']).toEqual({
    schema: { $ref: '#/components/schemas/test.harbour' },
    examples: { reply: expect.objectContaining({ summary: 'Reply to GET /harbours/deal%20%26%20dover' }) },
  })
})

test('a failure lists the codes of its own status', () => {
  const codesOf = (name: string) => {
    const response = api.components.responses?.[name] as Response | undefined
    const schema = response?.content?.['application/problem+json']?.schema as Problem | undefined
    return [schema?.properties.status.const, schema?.properties.code.enum]
  }
  expect(codesOf('Unauthorized')).toEqual([401, ['unauthorized']])
  expect(codesOf('NotFound')).toEqual([404, ['not_found', 'unknown_token']])
  expect(codesOf('Unavailable')).toEqual([503, expect.arrayContaining(['stale_data', 'shutting_down'])])
})

test('a document at two addresses is described at both', () => {
  const schemas = ['/openapi.json', '/.well-known/openapi.json'].map(
    (path) => api.paths[path]?.get?.responses['200']?.content?.['application/json']?.schema,
  )
  expect(schemas[0]).toMatchObject({ type: 'object', required: ['openapi', 'info', 'paths'] })
  expect(schemas[1]).toEqual(schemas[0])
})

test('a POST has a body', () => {
  expect(api.paths['/tides']?.post?.requestBody).toMatchObject({
    required: true,
    content: { 'application/json': { schema: { required: ['line'] }, example: { line: "it's foggy" } } },
  })
})

test('a catalog of documents only needs nothing about money', () => {
  const bare = parse(testSite({ catalog: createCatalog([discoveryGroup]) }))
  expect(JSON.stringify(bare.components)).not.toMatch(/PaymentRequired"|HTTPValidationError|_key/)
})
