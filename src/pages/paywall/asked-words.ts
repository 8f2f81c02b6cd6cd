import type { PaidProduct } from '../../catalog/catalog.ts'
import type { AnyParams } from '../../catalog/endpoints/endpoint.ts'
import { type ParamShape, paramShapes } from '../../catalog/json-schema.ts'
import { shownWords } from '../frame/shown-words.ts'

/** What a page calls the reply that was asked for, and the words of the address that it quotes below. */
export type AskedWords = { title: string; quoted: readonly string[] }

/**
 * Whoever makes a link chooses its words, so none of them may stand in a heading beside our price. A title is made of
 * values that the schema bounds: numbers, enums, symbols, addresses. Free text is quoted below, and cut.
 */
export function createAskedWords(product: PaidProduct): (params: AnyParams) => AskedWords {
  const free = new Set(
    paramShapes(product.params, [], {})
      .filter(isFreeText)
      .map(({ name }) => name),
  )
  return (params) => {
    const isQuoted = ([name, value]: [string, unknown]) => typeof value === 'string' && free.has(name)
    const given = Object.entries(params)
    const bounded = Object.fromEntries(given.filter((entry) => !isQuoted(entry)))
    const quoted = given.filter(isQuoted).map(([, value]) => shownWords(String(value)))
    return {
      title: product.title?.(bounded) ?? product.summary,
      quoted: quoted.filter((words) => words !== ''),
    }
  }
}

const isFreeText = ({ schema }: ParamShape) =>
  schema.enum === undefined && schema.const === undefined && schema.pattern === undefined
