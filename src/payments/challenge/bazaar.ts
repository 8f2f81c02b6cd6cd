import type { PaidProduct, Route } from '../../catalog/catalog.ts'
import { paramShapes } from '../../catalog/json-schema.ts'
import { pathNames } from '../../catalog/path.ts'

/** What 402s of one route say of its params: the same for every address, and dear to make from the schema. */
type Bazaar = {
  /** The x402 `bazaar` extension: tells directories and agents what to send and what comes back. */
  whole: object
  /**
   * The same for a header, where every byte counts: what to send, of which type where there is room for it, and not what
   * comes back. Directories look for the names `queryParams` and `example` even so.
   */
  brief: object
  briefest: object
}

const made = new WeakMap<Route, Bazaar>()

export function bazaarOf(route: Route, product: PaidProduct): Bazaar {
  const known = made.get(route)
  if (known) return known
  const shapes = paramShapes(product.params, pathNames(route.path), route.preset)
  const bazaar = {
    whole: wholeBazaar(route, product, shapes),
    brief: briefBazaar(route, product, shapes, { isTyped: true }),
    briefest: briefBazaar(route, product, shapes, { isTyped: false }),
  }
  made.set(route, bazaar)
  return bazaar
}

function wholeBazaar(route: Route, product: PaidProduct, shapes: Shapes) {
  const inPath = shapes.filter((shape) => shape.in === 'path')
  const inQuery = shapes.filter((shape) => shape.in === 'query')
  const input = {
    type: 'http',
    method: product.method,
    ...(inPath.length > 0 && { pathParams: sampleOf(product, inPath) }),
    queryParams: sampleOf(product, inQuery),
  }
  return {
    info: { input, output: { type: 'json', example: product.example } },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        input: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'http' },
            method: { type: 'string', enum: [product.method] },
            ...(inPath.length > 0 && { pathParams: objectOf(inPath) }),
            queryParams: objectOf(inQuery),
          },
          required: ['type', 'method'],
          additionalProperties: false,
        },
        output: {
          type: 'object',
          properties: { type: { type: 'string' }, example: { type: 'object' } },
          required: ['type'],
        },
      },
      required: ['input'],
    },
    ...templateOf(route),
  }
}

function briefBazaar(route: Route, product: PaidProduct, shapes: Shapes, { isTyped }: { isTyped: boolean }) {
  const places = [
    ['pathParams', shapes.filter((shape) => shape.in === 'path')],
    ['queryParams', shapes.filter((shape) => shape.in === 'query')],
  ] as const
  const filled = places.filter(([, inPlace]) => inPlace.length > 0)
  const samples = filled.map(([place, inPlace]) => [place, sampleOf(product, inPlace)])
  const types = filled.map(([place, inPlace]) => [place, { properties: typesOf(inPlace) }])
  const input = { queryParams: {}, ...(isTyped && Object.fromEntries(types)) }
  return {
    info: { input: { type: 'http', method: product.method, ...Object.fromEntries(samples) } },
    schema: { properties: { input: { properties: input }, output: { properties: { example: {} } } } },
    ...templateOf(route),
  }
}

function typesOf(shapes: Shapes): Record<string, unknown> {
  const brief = shapes.map(({ name, schema }) => {
    const values = schema.enum
    return [name, values === undefined ? { type: schema.type } : { enum: values }]
  })
  return Object.fromEntries(brief)
}

/** The one address that stands for all that its params can make. */
function templateOf({ path }: Route): { routeTemplate?: string } {
  return path.includes('{') ? { routeTemplate: path.replace(/\{(\w+)\}/g, ':$1') } : {}
}

type Shapes = ReturnType<typeof paramShapes>

function sampleOf(product: PaidProduct, shapes: Shapes): Record<string, unknown> {
  const given = shapes.filter(({ name }) => product.sample[name] !== undefined)
  return Object.fromEntries(given.map(({ name }) => [name, product.sample[name]]))
}

function objectOf(shapes: Shapes) {
  const required = shapes.filter((shape) => shape.required).map((shape) => shape.name)
  return {
    type: 'object',
    properties: Object.fromEntries(shapes.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
  }
}
