import type { AnyProduct } from '../../catalog/catalog.ts'
import { type ParamShape, paramShapes } from '../../catalog/json-schema.ts'
import { fillPath, pathNames } from '../../catalog/path.ts'
import { besideOf } from '../request/read-params.ts'
import { createFindUnknown, type FindUnknown } from '../request/unknown-params.ts'
import { ValidationError, type ValidationIssue } from '../request/validation.ts'

/** Where arguments stand in what a caller sends: the first part of the place that an issue names. */
const PLACE = 'arguments'
const NAME_CHARS = 100

/** Turns arguments by name into the address whose GET brings the same, spelt in one way only. */
export type AddressOf = (args: unknown) => string

/** A name that the product does not know is refused where it would be in a query, with all names that it does know. */
export function createAddressOf({ path, params, access }: AnyProduct): AddressOf {
  const shapes = paramShapes(params, pathNames(path), {})
  const known = new Set(shapes.map(({ name }) => name))
  const findUnknown = createFindUnknown(
    shapes.map((shape) => ({ ...shape, in: 'query' })),
    besideOf(access) ?? [],
  )
  return (args) => {
    const given = ownEntries(args)
    const issues: ValidationIssue[] = besideOf(access) ? unknownIn(given, findUnknown) : []
    const textOf = (shape: ParamShape): string | undefined => {
      const value = given.get(shape.name)
      if (value === undefined) return shape.in === 'path' ? refuse(shape.name, REQUIRED) : undefined
      if (typeof value === 'string' && !value.isWellFormed()) return refuse(shape.name, NOT_UNICODE)
      return findText(value, shape) ?? refuse(shape.name, wrongType(shape))
    }
    const refuse = (name: string, issue: Pick<ValidationIssue, 'msg' | 'type'>): undefined =>
      void issues.push({ loc: [PLACE, name], ...issue })
    const texts = shapes.map((shape) => ({ shape, text: textOf(shape) }))
    if (issues.length > 0) throw new ValidationError(issues)
    const inPath = texts
      .filter(({ shape }) => shape.in === 'path')
      .map(({ shape, text }) => [shape.name, text])
    const query = new URLSearchParams()
    for (const { shape, text } of texts)
      if (shape.in === 'query' && text !== undefined) query.append(shape.name, text)
    for (const [name, value] of given)
      if (!known.has(name)) query.append(name.slice(0, NAME_CHARS), findScalar(value) ?? '')
    const filled = fillPath(path, Object.fromEntries(inPath))
    return query.size === 0 ? filled : `${filled}?${query}`
  }
}

function unknownIn(given: ReadonlyMap<string, unknown>, find: FindUnknown): ValidationIssue[] {
  const names = new URLSearchParams([...given.keys()].map((name): [string, string] => [name, '']))
  return find(names).map(({ loc: [, name = ''], ...issue }) => ({ loc: [PLACE, name], ...issue }))
}

const REQUIRED = { msg: 'is required', type: 'missing' }
/** Half a pair of surrogates cannot stand in an address. */
const NOT_UNICODE = { msg: 'must be valid Unicode text', type: 'string_unicode' }
const wrongType = ({ schema }: ParamShape) => ({
  msg: `must be ${schema.type === 'string' ? 'text' : `a ${schema.type ?? 'plain value'}`}`,
  type: 'type_error',
})

/** Many models send null for what they leave out. */
function ownEntries(args: unknown): Map<string, unknown> {
  if (args === undefined || args === null) return new Map()
  if (typeof args !== 'object' || Array.isArray(args))
    throw new ValidationError([{ loc: [PLACE], msg: 'must be an object', type: 'type_error' }])
  return new Map(Object.entries(args).filter(([, value]) => value !== undefined && value !== null))
}

/** Empty text in a path would be another address. */
function findText(value: unknown, { schema, in: place }: ParamShape): string | undefined {
  if (typeof value === 'string') return value === '' && place === 'path' ? undefined : value
  const isNumber = schema.type === 'number' || schema.type === 'integer'
  if (typeof value === 'number' && isNumber) return String(value)
  return typeof value === 'boolean' && schema.type === 'boolean' ? String(value) : undefined
}

function findScalar(value: unknown): string | undefined {
  return typeof value === 'object' ? undefined : String(value)
}
