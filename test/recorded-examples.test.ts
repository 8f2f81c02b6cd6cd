import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { accountGroup } from '../src/account/group.ts'
import { protocolGroups } from '../src/app/protocols.ts'
import { createCatalog } from '../src/catalog/catalog.ts'
import { EXAMPLES_FOLDER, findRecordedCall } from '../src/catalog/endpoints/recorded-call.ts'
import type { Site } from '../src/catalog/site.ts'
import { operatorGroups } from '../src/operator/groups.ts'
import { productGroups } from '../src/products/groups.ts'
import { exampleOf, isShown, schemaOf } from '../src/testing/examples/ask.ts'
import { charsOf, MOST_CHARS } from '../src/testing/examples/shorten.ts'

const { endpoints } = createCatalog<Site>([
  ...productGroups,
  accountGroup,
  ...protocolGroups,
  ...operatorGroups,
])
const shown = endpoints.filter(isShown).map((endpoint) => [endpoint.id, endpoint] as const)

describe('examples', () => {
  test('are recorded of everything that shows one, and of nothing else', () => {
    expect(shown.length).toBeGreaterThan(90)
    const files = readdirSync(EXAMPLES_FOLDER).map((name) => name.replace(/\.json$/, ''))
    expect(files.sort()).toEqual(shown.map(([id]) => id).sort())
  })

  test.each(shown)('%s shows what was answered, in the declared shape', (id, endpoint) => {
    const { sample, reply } = findRecordedCall(id) ?? { reply: 'nothing was recorded' }
    expect(exampleOf(endpoint)).toEqual(reply)
    if (sample) expect(endpoint.sample).toEqual(sample)
    // A field that the schema does not know any more would be left out.
    expect(schemaOf(endpoint).parse(reply)).toEqual(reply)
    expect(charsOf(reply)).toBeLessThanOrEqual(MOST_CHARS)
  })

  test('show no key and no place of the machine that they were recorded on', () => {
    const texts = shown.map(([, endpoint]) => JSON.stringify([endpoint.sample, exampleOf(endpoint)]))
    for (const text of texts) {
      expect(text).not.toMatch(/"pay_to":"(?!0x(42){20}"|1{32}")/)
      expect(text).not.toMatch(/"private_key":"0x0*[1-9a-f]|"secret_key":"1*[^1"]|Bearer [A-Za-z0-9]/)
      expect(text).not.toMatch(/\/(tmp|home|root|work|Users)\/|localhost/)
    }
  })
})
