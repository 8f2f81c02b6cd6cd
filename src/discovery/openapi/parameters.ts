import type { Route } from '../../catalog/catalog.ts'
import type { Protocol } from '../../catalog/endpoints/protocol.ts'
import { type ParamShape, paramShapes, toJsonSchema } from '../../catalog/json-schema.ts'
import { PaymentParams } from '../../catalog/payment-params.ts'
import { type Param, paramsOf, sampleOf } from '../sample-call.ts'
import { refTo } from './component.ts'
import { describeFields } from './describe-fields.ts'
import { toPlain } from './plain-schema.ts'

const steering = paramShapes(PaymentParams, [], {})
/** Agents copy examples into real calls; ten seconds is the freshness bound of market products. */
const STEERING_SAMPLE = { max_age: 10 }

/** Accepted on every paid path; they steer the payment and never reach the product. */
export const steeringParameters: Record<string, unknown> = Object.fromEntries(
  steering.map((shape) => [shape.name, toParameter(shape, STEERING_SAMPLE)]),
)

export function parametersOf(route: Route): unknown[] {
  const own = paramsOf(route).filter((param) => param.in !== 'body')
  return [
    ...own.map((param) => toParameter(param, sampleOf(route))),
    ...(route.endpoint.access.kind === 'paid' ? steering.map(({ name }) => refTo('parameters', name)) : []),
  ]
}

function toParameter(shape: ParamShape | Param, sample: Record<string, unknown>) {
  const { name, required, description } = shape
  const schema = toPlain(shape.schema)
  const example = sample[name] ?? schema.default ?? findFirst(schema.enum)
  return { name, in: shape.in, required, description, schema, ...(example !== undefined && { example }) }
}

function findFirst(values: unknown): unknown {
  return Array.isArray(values) ? values[0] : undefined
}

function messageOf({ message }: Protocol<never>): object | undefined {
  if (!message) return undefined
  const schema = describeFields(toPlain(toJsonSchema(message.schema, 'input')), 'message')
  return { required: true, content: { 'application/json': { schema, example: message.example } } }
}

/** What a POST carries in its body; nothing when its path says it all. */
export function requestBodyOf(route: Route): object | undefined {
  if (route.endpoint.kind === 'protocol') return messageOf(route.endpoint)
  const params = paramsOf(route).filter((param) => param.in === 'body')
  if (params.length === 0) return undefined
  const sample = sampleOf(route)
  const required = params.filter((param) => param.required).map(({ name }) => name)
  const given = params.filter(({ name }) => sample[name] !== undefined)
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      params.map(({ name, schema, description }) => [name, { ...toPlain(schema), description }]),
    ),
    ...(required.length > 0 && { required }),
  }
  const example = Object.fromEntries(given.map(({ name }) => [name, sample[name]]))
  return { required: required.length > 0, content: { 'application/json': { schema, example } } }
}
