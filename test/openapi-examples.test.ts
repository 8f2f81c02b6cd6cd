import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { describeSite } from '../src/app/site.ts'
import { readConfig } from '../src/config/config.ts'
import { createManualClock } from '../src/core/time/manual-clock.ts'
import { createTerms } from '../src/payments/challenge/terms.ts'
import { createWallets } from '../src/sandbox/wallets.ts'
import { PAY_TO, rendered } from '../src/testing/discovery/sample-site.ts'

type Media = { schema?: object; example?: unknown; examples?: Record<string, { value: unknown }> }
type Found = { where: string; schema: object; value: unknown }

const terms = createTerms({ evm: PAY_TO.evm, svm: PAY_TO.svm.address }, () => PAY_TO.svm.feePayer)
const site = describeSite({
  config: readConfig({}),
  port: 4020,
  money: { wallets: createWallets({ evm: undefined, svm: undefined }) },
  payment: terms,
  clock: createManualClock(Date.parse('2026-01-05T12:00:00Z')),
})
const api = JSON.parse(rendered(site, 'document.openapi'))

// OpenAPI 3.1 is JSON Schema 2020-12: bounds that are exclusive are numbers, and null is a type.
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ $id: 'api', ...api })

const isOf = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Everything in the document that has a schema and an example of it: media types and parameters alike. */
function examplesIn(node: unknown, where: string): Found[] {
  if (!isOf(node)) return []
  const { schema, example, examples } = node as Media
  const own = schema
    ? [
        ...(example === undefined ? [] : [{ where, schema, value: example }]),
        ...Object.entries(examples ?? {}).map(([name, { value }]) => ({
          where: `${where}/${name}`,
          schema,
          value,
        })),
      ]
    : []
  const below = Object.entries(node).filter(([key]) => key !== 'example' && key !== 'examples')
  return [
    ...own,
    ...below.flatMap(([key, part]) => examplesIn(part, `${where}/${key.replaceAll('/', '~1')}`)),
  ]
}

const found = examplesIn(api, '#')
const check = ({ schema, value }: Found) => {
  const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components'))
  const validate = ajv.compile(local)
  return validate(value) ? [] : (validate.errors ?? [])
}

describe('the API description of this service', () => {
  test('shows an example of every reply', () => {
    expect(found.length).toBeGreaterThan(site.catalog.routes.length)
  })
  test.each(found.map((each) => [each.where, each] as const))('%s', (_, each) => {
    expect(check(each)).toEqual([])
  })
  test('would not pass with an example that a bound excludes', () => {
    const schema = { type: 'number', exclusiveMinimum: 0 }
    expect(check({ where: '', schema, value: 0 })).toMatchObject([{ keyword: 'exclusiveMinimum' }])
    expect(check({ where: '', schema, value: 0.1 })).toEqual([])
  })
})
