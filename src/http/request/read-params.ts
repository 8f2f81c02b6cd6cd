import type { z } from 'zod'
import type { Access } from '../../catalog/access.ts'
import type { Route } from '../../catalog/catalog.ts'
import { type ParamShape, paramShapes } from '../../catalog/json-schema.ts'
import { pathNames } from '../../catalog/path.ts'
import { PAYMENT_PARAM_NAMES } from '../../catalog/payment-params.ts'
import { createFindUnknown } from './unknown-params.ts'
import { issuesOf, ValidationError, type ValidationIssue } from './validation.ts'

export type ReadParams<P> = (
  values: Readonly<Record<string, string>>,
  query: URLSearchParams | undefined,
) => P
type Options<S> = {
  schema: S
  inPath?: readonly string[]
  preset?: Readonly<Record<string, string>>
  /** Names that the query may hold beside the declared ones; undefined: any. */
  beside?: readonly string[] | undefined
}
type Asked = { params: z.ZodObject; access: Access }

/** The params of one address of an endpoint, as its access wants them read. */
export function createReadRoute({ path, preset }: Route, { params, access }: Asked) {
  return createReadParams({ schema: params, inPath: pathNames(path), preset, beside: besideOf(access) })
}

/** A misspelt param must not be paid for, nor an order placed without it; elsewhere an unknown one does no harm. */
export function besideOf({ kind }: Access): readonly string[] | undefined {
  if (kind === 'paid') return PAYMENT_PARAM_NAMES
  return kind === 'operator' ? [] : undefined
}

const NUMBER_TEXT = /^-?(0|[1-9]\d{0,15})(\.\d{1,15})?$/
const INTEGER_TEXT = /^-?(0|[1-9]\d{0,15})$/

/** Text to typed params, by the shapes the schema declares. Prepared once for an address, used for every request. */
export function createReadParams<S extends z.ZodObject>(options: Options<S>) {
  const { schema, inPath = [], preset = {}, beside } = options
  const shapes = paramShapes(schema, inPath, preset)
  const findUnknown = beside && createFindUnknown(shapes, beside)
  const places = new Map(shapes.map((shape) => [shape.name, shape.in]))
  const fromQueryOnly = inPath.length === 0
  const whenNothingGiven = fromQueryOnly ? schema.safeParse(preset) : undefined

  const read: ReadParams<z.output<S>> = (values, query) => {
    if (query === undefined && whenNothingGiven?.success) return whenNothingGiven.data
    const given: Record<string, unknown> = { ...preset }
    for (const shape of shapes) {
      const text = shape.in === 'path' ? values[shape.name] : findSingle(query, shape.name)
      if (text !== undefined) given[shape.name] = toTyped(shape, text)
    }
    const unknown = findUnknown?.(query) ?? []
    const parsed = schema.safeParse(given)
    if (parsed.success && unknown.length === 0) return parsed.data
    const wrong = parsed.error ? issuesOf(parsed.error, (name) => places.get(name) ?? 'query') : []
    throw new ValidationError([...unknown, ...wrong.map((issue) => inWords(issue, shapes, given))])
  }
  return read
}

/** What the path of an address says, typed; for params that otherwise come in a body. */
export function createReadPathValues<S extends z.ZodObject>({
  schema,
  inPath = [],
  preset = {},
}: Omit<Options<S>, 'beside'>) {
  const shapes = paramShapes(schema, inPath, preset).filter((shape) => shape.in === 'path')
  return (values: Readonly<Record<string, string>>): Record<string, unknown> => ({
    ...preset,
    ...Object.fromEntries(shapes.map((shape) => [shape.name, toTyped(shape, values[shape.name] ?? '')])),
  })
}

function findSingle(query: URLSearchParams | undefined, name: string): string | undefined {
  if (!query?.has(name)) return undefined
  const all = query.getAll(name)
  if (all.length === 1) return all[0]
  throw new ValidationError([
    { loc: ['query', name], msg: 'is given more than once', type: 'multiple_values' },
  ])
}

/** To the schema what is no number is text; the caller, to whom all is text, has to hear what would be one. */
function inWords(
  issue: ValidationIssue,
  shapes: readonly ParamShape[],
  given: Readonly<Record<string, unknown>>,
): ValidationIssue {
  const shape = shapes.find(({ name }) => name === issue.loc[1])
  const accepted = ACCEPTED[String(shape?.schema.type)]
  return shape && accepted && typeof given[shape.name] === 'string' ? { ...issue, msg: accepted } : issue
}

const ACCEPTED: Readonly<Record<string, string>> = {
  integer: 'must be a whole number, such as 30',
  number: 'must be a plain decimal number, such as 30 or 0.5',
  boolean: 'must be true or false',
}

/** What is not plainly a number stays text, so that the schema refuses it. */
function toTyped({ schema }: ParamShape, text: string): unknown {
  if (schema.type === 'integer') return INTEGER_TEXT.test(text) ? Number(text) : text
  if (schema.type === 'number') return NUMBER_TEXT.test(text) ? Number(text) : text
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}
